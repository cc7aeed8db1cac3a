// The parts of the answer.
const knowing = () => asked.sign !== null
  || Object.values(asked.declared).flat().some(said => said !== null);
const betting = () => asked.phase !== null;

// What is plain stands in the page; the rest is counted.
function plainAnswer(hand, seat) {
  return {
    net: netOf(hand, seat),
    phases: phases.map((phase, p) => ({
      phase, win: odds(hand, seat, p, "win"), none: odds(hand, seat, p, "void") })),
  };
}

let turn = 0;
async function showAnswer(hand, spoken) {
  const now = ++turn, question = known(hand, asked.sign);
  showVerdicts(hand, null);
  const wrong = contradicted(hand);
  if (wrong) return showNothing(word("contradicted", { phase: phaseName(wrong) }), spoken);
  if (plain(question)) {
    showNow(hand, plainAnswer(hand, asked.seat));
    if (!betting()) return spoken && tell(spokenAnswer(hand, plainAnswer(hand, asked.seat)));
  } else {
    showNow(hand, null);
  }
  element("counting").hidden = false;
  const rows = await count(question);
  if (now !== turn) return undefined;
  if (!rows.length) return showNothing(word("no_deal"), spoken);
  const found = plain(question) ? plainAnswer(hand, asked.seat) : oddsOf(rows);
  showNow(hand, found);
  const choices = betting() ? choicesOf(rows, asked) : null;
  showVerdicts(hand, choices);
  showBets(choices);
  if (betting() && choices) showSolved(hand, rows);
  return spoken && tell(spokenAnswer(hand, found, choices));
}

function showNothing(text, spoken) {
  element("counting").hidden = true;
  element("now").replaceChildren();
  element("bets-section").hidden = true;
  element("problem").textContent = text;
  element("problem").hidden = false;
  if (spoken) tell(text);
}

function showPlays(hand) {
  element("plays-title").textContent = [...data.hands[hand]].join(" ");
  element("plays").replaceChildren(...playsOf(hand).map(text => make("li", { class: "main" }, text)));
}

function showPlaces(hand) {
  const all = data.ways.reduce((sum, ways) => sum + ways, 0);
  const once = Math.round(all / data.ways[hand]).toLocaleString("en");
  const dealt = language === "en" ? once : once.replace(",", ".");
  const places = ["grande", "chica"].map(phase => word("place", {
    phase: phaseName(phase), top: data.top[phase],
    n: data.top[phase] + 1 - data.level[phase][hand] }));
  element("places").textContent = [...places, word("dealt", { n: dealt })].join(" · ");
}

const verdict = (title, ...content) =>
  make("div", {}, make("dt", {}, title), make("dd", {}, ...content));

function showVerdicts(hand, choices) {
  const { seat } = asked, found = [], best = data.discards;
  if (best) {
    const mus = ofSeat(best.mus, hand, seat) === "1", kind = mus ? "mus" : "cut";
    const cut = netOf(hand, seat), drawn = data.mus && ofSeat(data.mus.net, hand, seat) / 100;
    found.push(verdict(word("to_say"), make("span", { class: `say ${kind}` }, word(`say_${kind}`)),
      drawn === null ? null
        : make("small", {}, ` ${word("worths", { mus: signed(drawn), cut: signed(cut) })}`)));
  }
  const keep = best ? ofSeat(best.keep, hand, seat) : data.keeps.keep[bestKeep(hand, seat)];
  found.push(verdict(word("to_throw"), ...thrown(hand, keep)));
  if (choices) {
    const sure = choices.choices.filter(choice => choice.equity !== undefined);
    const top = sure.reduce((a, b) => (b.equity > a.equity ? b : a));
    const all = sure.map(choice => `${actionName(choice)} ${percent(choice.equity)}`).join(", ");
    const name = asked.offer === null ? word("to_bet") : word("to_answer");
    found.push(verdict(`${phaseName(asked.phase)}: ${name}`,
      make("span", { class: `say ${top.action === "fold" ? "cut" : "mus"}` }, actionName(top)),
      make("small", {}, ` ${all}`)));
  }
  element("verdicts").replaceChildren(...found);
}

// Without an answer, because it is being counted: the same lines, so that nothing jumps.
function showNow(hand, found) {
  element("counting").hidden = found !== null;
  element("problem").hidden = true;
  element("now").setAttribute("aria-busy", String(found === null));
  const base = plainAnswer(hand, asked.seat), compared = knowing();
  const rows = base.phases.map(({ phase, win: plainWin }, p) => {
    const { win, none } = found?.phases[p] ?? { win: null, none: 0 };
    const notes = [none === 1 ? word("never_played")
      : none ? word("not_played", { chance: percent(none) }) : null,
    compared ? word("was", { chance: percent(plainWin) }) : null];
    const small = notes.filter(Boolean).join(" · ");
    const bar = make("span", { class: "bar", style: `--part: ${win * 100}%` });
    return make("tr", {}, rowHead(phaseName(phase), small || null), make("td", {}, bar),
      make("td", {}, win === null ? "…" : percent(win)));
  });
  rows.push(make("tr", { class: "total" },
    rowHead(word("net"), compared ? word("was", { chance: signed(base.net) }) : null),
    make("td", {}),
    found ? make("td", { class: tone(found.net) }, signed(found.net)) : make("td", {}, "…")));
  const title = word("now_title", { seat: seatName(asked.seat) });
  element("now").replaceChildren(make("caption", {}, title), make("tbody", {}, ...rows));
}

// What may be said, at the score

function actionName({ action, more }) {
  if (action === "pass" || action === "fold" || action === "see") return word(action);
  return action === ORDAGO ? word("ordago") : word(action, { n: more });
}

function showBets(found) {
  element("bets-section").hidden = !betting();
  if (!betting()) return;
  const score = asked.score.join("–");
  element("bets-title").textContent = word("bets_title", { phase: phaseName(asked.phase), score });
  element("bets").hidden = !found;
  if (!found) {
    element("bets-lead").textContent = word("no_betting", { phase: phaseName(asked.phase) });
    return;
  }
  const lead = [word("our_best", { chance: percent(found.win) })];
  if (found.point !== null) lead.push(word("point", { chance: percent(found.point) }));
  element("bets-lead").textContent = lead.join(" ");
  const cell = value => make("td", {}, value === undefined ? "" : percent(value));
  fill("bets", word("bets_title", { phase: phaseName(asked.phase), score }),
    [corner(), ...["equity", "if_seen", "if_folded", "folds_at"].map(key => column(word(key)))],
    found.choices.map(choice => make("tr", {}, rowHead(actionName(choice)), cell(choice.equity),
      cell(choice.ifSeen), cell(choice.ifFolded),
      make("td", {}, choice.folds === undefined ? ""
        : choice.folds === null ? word("never") : percent(choice.folds)))));
}

// Against rivals who bet as solved: only where the page holds how they do.
async function showSolved(hand) {
  const line = element("solved");
  line.hidden = true;
  const found = solvedWeights();
  if (!found) return;
  const question = known(hand, asked.sign), now = turn;
  const speaker = found.seat === others(asked.seat)[0] ? "next" : "previous";
  question[speaker] = both(question[speaker], found.weights);
  const choices = choicesOf(await count(question), asked);
  if (now !== turn || !choices) return;
  const [fold, see] = choices.choices.map(({ equity }) => percent(equity));
  line.textContent = word("solved", {
    model: data.betting.model, score: found.solvedAt, beaten: percent(1 - choices.win), fold, see });
  line.hidden = false;
}

function solvedWeights() {
  if (!data.betting || asked.offer === null) return null;
  const weAreMano = asked.seat % 2 === 1, side = weAreMano ? 1 : 0;
  const score = weAreMano ? asked.score : [...asked.score].reverse();
  const action = asked.offer === ORDAGO ? "ordago" : asked.onTable ? "raise" : "bet";
  const [point] = nearestSolved(data.betting.points.filter(one => one.phase === asked.phase
    && one.side === side && one.action === action), score);
  if (!point) return null;
  const solvedAt = (weAreMano ? point.score : [...point.score].reverse()).join("–");
  return { seat: side + 1, weights: [...weightsOf(point)], solvedAt };
}

// Those of the nearest score that was solved; it is told.
function nearestSolved(points, score) {
  const away = one => Math.hypot(...score.map((stones, i) => stones - one.score[i]));
  const least = Math.min(...points.map(away));
  const nearest = points.find(one => away(one) === least);
  return points.filter(one => one.score.join() === nearest?.score.join());
}

// No slashes in the file, so that nothing in it looks like an address.
const weightsOf = ({ weights }) =>
  numbers(weights.replaceAll("-", "+").replaceAll("_", "/"), Uint8Array);

// All seats, and the rest

function showOdds(hand) {
  const chosen = n => (n === asked.seat ? "chosen" : "");
  const rows = phases.map((phase, p) => {
    const none = odds(hand, asked.seat, p, "void");
    const small = none === 0 ? null : word("not_played", { chance: percent(none) });
    return make("tr", {}, rowHead(phaseName(phase), small), ...SEATS.map(n => {
      const win = odds(hand, n, p, "win");
      const bar = make("span", { class: "bar", style: `--part: ${win * 100}%` });
      return make("td", { class: chosen(n) }, percent(win), bar);
    }));
  });
  rows.push(make("tr", { class: "total" }, rowHead(word("net")), ...SEATS.map(n => {
    const value = netOf(hand, n);
    return make("td", { class: `${chosen(n)} ${tone(value)}` }, signed(value));
  })));
  const heads = SEATS.map(n => column(seatName(n), { class: chosen(n) }));
  fill("odds", word("odds_title"), [corner(), ...heads], rows);
}

function showDetail(hand) {
  const title = word("detail_title", { seat: seatName(asked.seat) });
  const rows = data.columns.map(name =>
    make("tr", {}, rowHead(say("columns")[name]), ...phases.map((_, p) => {
      const value = odds(hand, asked.seat, p, name);
      return make("td", {}, name.startsWith("stones") ? stones(value) : percent(value));
    })));
  element("detail-title").textContent = title;
  fill("detail", title, [corner(), ...phases.map(p => column(phaseName(p)))], rows);
}

const bestKeep = (hand, seat) => data.keeps.start[hand] + ofSeat(data.keeps.best, hand, seat);
const keepNet = (keep, seat) => ofSeat(data.keeps.net, keep, seat) / 100;

function showDiscards(hand) {
  const best = data.discards;
  const rows = SEATS.map(n => {
    const cells = [rowHead(seatName(n))];
    if (best) {
      const kind = ofSeat(best.mus, hand, n) === "1" ? "mus" : "cut";
      cells.push(make("td", {}, make("span", { class: `say ${kind}` }, word(`say_${kind}`)), " ",
        ...thrown(hand, ofSeat(best.keep, hand, n))));
    }
    const keep = bestKeep(hand, n), net = keepNet(keep, n);
    cells.push(make("td", {}, ...thrown(hand, data.keeps.keep[keep]), " ",
      make("span", { class: `worth ${tone(net)}` }, signed(net))));
    return make("tr", {}, ...cells);
  });
  const heads = [...(best ? ["everybody"] : []), "alone"].map(key => column(word(key)));
  fill("discards", word("discards_title"), [corner(), ...heads], rows);
  element("discards-note").textContent = word(best ? "discards_note" : "discards_note_solo");
}

// Every sign at once: the partner's hands are told apart by which signs are true of them.
async function showSigns(hand) {
  const title = word("signals_title", { seat: seatName(asked.seat) });
  element("signals-title").textContent = title;
  if (!element("signals-part").open || contradicted(hand)) return;
  element("signals").setAttribute("aria-busy", "true");
  const { names, true: hold } = data.signals, now = turn;
  const patterns = new Map();
  const mark = data.hands.map((_, h) => {
    const key = hold.map(row => row[h]).join("");
    if (!patterns.has(key)) patterns.set(key, patterns.size);
    return patterns.get(key);
  });
  const rows = await count({ ...known(hand, null), mark });
  if (now !== turn || !rows.length) return;
  const told = [...patterns.keys()], base = oddsOf(rows), keep = knowing() && !asked.sign;
  const shownBase = keep || !plain(known(hand, null)) ? base : plainAnswer(hand, asked.seat);
  const line = (head, found, against) => make("tr", against ? {} : { class: "base" }, head,
    ...found.phases.map(({ win }, p) => marked(bare(win), win, against?.phases[p].win)),
    marked(signed(found.net), found.net, against?.net));
  const lines = [line(rowHead(word("no_signal")), shownBase, null)];
  names.forEach((name, s) => {
    const some = rows.filter(row => told[row.mark][s] === "1");
    if (!some.length) return;
    const found = oddsOf(some), held = heldOf(hand, signHands(name));
    lines.push(line(rowHead(say("signals")[name], word("holds", { chance: percent(held) })),
      found, shownBase));
  });
  element("signals").removeAttribute("aria-busy");
  fill("signals", title,
    [corner(), ...phases.map(p => column(`${phaseName(p)} %`)), column(word("net"))], lines);
}

function marked(text, value, against) {
  if (against === undefined || Math.abs(value - against) < 5e-4) return make("td", {}, text);
  const up = value > against;
  return make("td", {}, text, make("i", { class: up ? "gain" : "loss" }, up ? "▲" : "▼"));
}

// How often the partner holds such a hand, given mine, whatever the rivals have.
function heldOf(hand, wanted) {
  const free = data.deck.map(({ symbol, copies }) =>
    copies - [...data.hands[hand]].filter(card => card === symbol).length);
  const choose = (n, k) => (k > n ? 0 : [1, n, n * (n - 1) / 2, n * (n - 1) * (n - 2) / 6,
    n * (n - 1) * (n - 2) * (n - 3) / 24][k]);
  let all = 0, held = 0;
  data.hands.forEach((text, h) => {
    const ways = symbols.reduce((product, symbol, k) =>
      product * choose(free[k], text.split(symbol).length - 1), 1);
    all += ways;
    held += ways * wanted[h];
  });
  return held / all;
}

// For ears

function tell(text) {
  element("status").textContent = text;
}

function spokenAnswer(hand, found, choices = null) {
  const said = found.phases.map(({ phase, win }) => `${phaseName(phase)} ${percent(win)}`);
  const bets = choices && choices.choices.filter(choice => choice.equity !== undefined)
    .map(choice => `${actionName(choice)} ${percent(choice.equity)}`).join(", ");
  return word("spoken", {
    hand: [...data.hands[hand]].map(cardName).join(" "), plays: playsOf(hand).join(", "),
    seat: seatName(asked.seat), odds: said.join(", "), net: signed(found.net),
  }) + (bets ? ` ${phaseName(asked.phase)}: ${bets}.` : "");
}

function showTitle(hand, found) {
  const first = hand === undefined ? null
    : `${data.hands[hand]}, ${seatName(asked.seat)}: ${phaseName("grande")} ${percent(found)}`;
  document.title = [first, `musodds ${data.game}`].filter(Boolean).join(" – ");
}
