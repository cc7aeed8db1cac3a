// What is chosen and pressed.
const EXAMPLE = "RR7A";
let wrong = null;

function show(spoken = true) {
  if (!asked.cards.includes(null) && asked.place === null) asked.cards.sort(byRank);
  const hand = handOf(asked.cards), missing = asked.cards.filter(card => card === null).length;
  showSlots();
  element("results").hidden = hand === undefined;
  element("waiting").hidden = hand !== undefined;
  const ask = wrong === null ? say("to_go")[missing]
    : word("no_hand", { text: wrong, cards: symbols.join(" ") });
  element("waiting").textContent = ask;
  document.querySelectorAll("#seats input")[asked.seat - 1].checked = true;
  showControls();
  showTitle(hand, hand === undefined ? null : odds(hand, asked.seat, 0, "win"));
  showFigures();
  if (hand === undefined) return spoken && tell(ask);
  // A browser refuses too many new addresses in a row: none where nothing has changed.
  if (location.hash !== address()) history.replaceState(null, "", address());
  for (const part of [showPlays, showPlaces, showOdds, showDetail, showDiscards]) part(hand);
  element("bets-section").hidden = true;
  const answered = showAnswer(hand, spoken);
  showSigns(hand);
  return answered;
}

function showSlots() {
  [...element("slots").children].forEach((button, i) => {
    const card = asked.cards[i], number = word("card", { n: i + 1 });
    button.className = card ? "held" : "";
    button.setAttribute("aria-pressed", String(asked.place === i));
    button.replaceChildren(...(card
      ? [make("strong", {}, card), " ", make("small", {}, cardName(card)),
        make("span", { class: "unseen" }, `, ${number}`)]
      : [make("span", { class: "unseen" }, `${number}: ${word("empty")}`)]));
  });
}

// Cards

function choose(symbol) {
  let at = asked.place ?? asked.cards.indexOf(null);
  if (at < 0) {
    asked.cards.fill(null);
    at = 0;
  }
  asked.cards[at] = symbol;
  changed();
}

function changed() {
  asked.place = wrong = null;
  show();
}

function takeBack() {
  const at = asked.place ?? asked.cards.findLastIndex(card => card !== null);
  if (at < 0) return;
  asked.cards[at] = null;
  changed();
}

function clear() {
  asked.cards.fill(null);
  changed();
}

function deal() {
  asked.cards = [...data.hands[dealtHand()]];
  changed();
}

// The table: what is known and said

const option = (value, text) => make("option", { value }, text);
const offered = [2, 3, 4, 5, 6, 8, 10, 15, 20];

function showControls() {
  const signs = data.signals.names.map(name => option(name, say("signals")[name]));
  element("sign").replaceChildren(option("", word("no_signal")), ...signs);
  element("sign").value = asked.sign ?? "";
  element("phase").replaceChildren(option("", word("no_bet")),
    ...phases.map(phase => option(phase, phaseName(phase))));
  element("phase").value = asked.phase ?? "";
  const offers = [...new Set([...offered, ...(Number.isInteger(asked.offer) ? [asked.offer] : [])])];
  element("offer").replaceChildren(option("", word("nobody")),
    ...offers.sort((a, b) => a - b).map(n => option(n, word("bet", { n }))),
    option(ORDAGO, word("ordago")));
  element("offer").value = asked.offer ?? "";
  const tables = [...new Set([...offered, asked.onTable])].filter(Boolean).sort((a, b) => a - b);
  element("on-table").replaceChildren(option(0, "0"), ...tables.map(n => option(n, n)));
  element("on-table").value = asked.onTable;
  asked.score.forEach((n, i) => { element(["ours", "theirs"][i]).value = n; });
  element("offer").disabled = element("on-table").disabled = asked.phase === null;
  element("on-table").disabled ||= asked.offer === null;
  showDeclared();
  showEarlier();
  element("table-state").textContent = tableState();
}

function showDeclared() {
  const rows = ["pares", "juego"].map(phase => make("tr", {}, rowHead(phaseName(phase)),
    ...SEATS.map(seat => {
      const name = `${phaseName(phase)}, ${seatName(seat)}`;
      const chosen = make("select", { "aria-label": name, "data-phase": phase, "data-seat": seat },
        option("", "?"), option("y", word("yes")), option("n", word("no")));
      const said = asked.declared[phase][seat - 1];
      chosen.value = said === null ? "" : letter(said);
      chosen.addEventListener("change", () => {
        asked.declared[phase][seat - 1] = { y: true, n: false }[chosen.value] ?? null;
        refocus(`#declared [data-phase=${phase}][data-seat="${seat}"]`);
      });
      return make("td", {}, chosen);
    })));
  fill("declared", word("declared"), [corner(), ...SEATS.map(seat => column(seatName(seat)))], rows);
}

function showEarlier() {
  element("earlier").replaceChildren(...before(asked.phase).map(phase => {
    const chosen = make("select", { "data-phase": phase }, option("", word("passed")),
      ...offered.map(n => option(n, word("seen", { n }))),
      option("us", word("they_folded")), option("them", word("we_folded")));
    const ending = asked.earlier[phase];
    const agreed = ending?.stones;
    if (agreed && !offered.includes(agreed)) chosen.append(option(agreed, word("seen", { n: agreed })));
    chosen.value = !ending ? "" : ending.how === "seen" ? agreed : ending.us ? "us" : "them";
    chosen.addEventListener("change", () => {
      if (!chosen.value) delete asked.earlier[phase];
      else if (/\d/.test(chosen.value)) asked.earlier[phase] = { how: "seen", stones: Number(chosen.value) };
      else asked.earlier[phase] = { how: "refused", stones: 0, us: chosen.value === "us" };
      refocus(`#earlier [data-phase=${phase}]`);
    });
    return make("label", {}, make("span", {}, phaseName(phase)), " ", chosen);
  }));
  element("earlier-part").hidden = !before(asked.phase).length;
}

// The control was made anew: whoever works by keyboard stays on it.
function refocus(selector) {
  show();
  document.querySelector(selector)?.focus();
}

function tableState() {
  const said = Object.entries(asked.declared).filter(([, row]) => row.some(one => one !== null))
    .map(([phase]) => phaseName(phase));
  const offer = asked.offer === ORDAGO ? word("ordago") : asked.offer;
  const bet = asked.phase && [phaseName(asked.phase), offer].filter(Boolean).join(" ");
  return [bet, (bet || asked.score.some(Boolean)) && asked.score.join("–"),
    said.length ? word("said_phases", { phases: said.join(", ") }) : null,
  ].filter(Boolean).join(" · ") || word("nothing_said");
}

function readControls() {
  asked.sign = element("sign").value || null;
  asked.phase = element("phase").value || null;
  const offer = element("offer").value;
  asked.offer = !asked.phase || !offer ? null : offer === ORDAGO ? ORDAGO : Number(offer);
  asked.onTable = asked.offer === null ? 0 : Number(element("on-table").value);
  asked.score = ["ours", "theirs"].map(id =>
    Math.min(data.target - 1, Math.max(0, Math.trunc(Number(element(id).value)) || 0)));
  for (const phase of Object.keys(asked.earlier)) {
    if (!before(asked.phase).includes(phase)) delete asked.earlier[phase];
  }
  show();
}

function forget() {
  const { cards, seat } = asked;
  asked = { ...fresh(), cards, seat };
  show();
}

// Keys

function arrow(event) {
  const across = Math.ceil(symbols.length / 2);
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
  const group = event.target.closest?.("#slots, #cards");
  if (!step || !group) return;
  const buttons = [...group.children], to = buttons.indexOf(event.target) + step;
  if (to < 0 || to >= buttons.length) return;
  event.preventDefault();
  buttons[to].focus();
}

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || practising) return;
  if (event.key.startsWith("Arrow")) return void arrow(event);
  if (!element("shortcuts").checked || event.target.closest?.("select, input[type=number]")) return;
  if (event.key === "Backspace" || event.key === "Delete") takeBack();
  else if (event.key === "Escape") clear();
  else if (/^[a-z0-9]$/i.test(event.key)) {
    const symbol = symbolOf(event.key);
    if (symbols.includes(symbol)) choose(symbol);
    else tell(word("no_card", { key: event.key.toUpperCase() }));
  }
}

// Game, language, theme

function speak(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  element("language").value = chosen;
  for (const part of document.querySelectorAll("[data-word]")) {
    part.textContent = word(part.dataset.word, {
      cards: symbols.join(" "), later: word(`later_${data.later}`) });
  }
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", word(part.dataset.label));
  }
  element("drill-kind").replaceChildren(...["mixed", ...Object.keys(KEEN)]
    .filter(kind => kind !== "say" || data.mus)
    .map(kind => option(kind === "mixed" ? "" : kind, word(`kind_${kind}`))));
  document.querySelectorAll("#seats span").forEach((span, i) => {
    span.textContent = seatName(i + 1);
  });
  showPicker();
  tell("");
  show(false);
  showDrill();
}

function showPicker() {
  element("cards").style.setProperty("--across", Math.ceil(symbols.length / 2));
  element("cards").replaceChildren(...symbols.map(symbol => {
    const button = make("button", { type: "button", "data-card": symbol },
      make("strong", {}, symbol), " ", make("small", {}, cardName(symbol)));
    button.addEventListener("click", () => choose(symbol));
    return button;
  }));
}

function changeGame(name) {
  const { cards } = asked;
  play(name);
  const folded = cards.map(card => card && (data.folds[card] ?? card));
  const hold = folded.every(card => card === null || symbols.includes(card));
  asked = { ...fresh(), seat: asked.seat, cards: hold ? folded : Array(SIZE).fill(null) };
  drill = null;
  element("game").value = name;
  speak(language);
  if (practising) nextDrill();
}

function paint(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  element("theme").setAttribute("aria-pressed", String(dark));
}

function expands(button, panel) {
  element(button).addEventListener("click", () => {
    const open = element(button).getAttribute("aria-expanded") !== "true";
    element(button).setAttribute("aria-expanded", String(open));
    element(panel).hidden = !open;
  });
}

// Start

function readHash() {
  const read = readAddress();
  wrong = read?.wrong ?? null;
  if (read === null) asked = { ...fresh(), cards: [...EXAMPLE] };
  else if (read.wrong !== undefined) asked = fresh();
  else asked = read.found;
  element("game").value = data.game;
}

for (let i = 0; i < SIZE; i++) {
  const button = make("button", { type: "button" });
  button.addEventListener("click", () => {
    asked.place = asked.place === i ? null : i;
    show(false);
  });
  element("slots").append(button);
}
for (const n of SEATS) {
  const input = make("input", { type: "radio", name: "seat", value: n });
  input.addEventListener("change", () => {
    asked.seat = n;
    show();
  });
  element("seats").append(make("label", {}, input, make("span")));
}
element("game").replaceChildren(...[...games.keys()].map(name => option(name, name)));
element("game").addEventListener("change", event => changeGame(event.target.value));
element("back").addEventListener("click", takeBack);
element("clear").addEventListener("click", clear);
element("deal").addEventListener("click", deal);
element("forget").addEventListener("click", forget);
for (const id of ["sign", "phase", "offer", "on-table", "ours", "theirs"]) {
  element(id).addEventListener("change", readControls);
}
element("signals-part").addEventListener("toggle", () => {
  const hand = handOf(asked.cards);
  if (hand !== undefined) showSigns(hand);
});
element("to-practise").addEventListener("click", () => practise(!practising));
element("drill-next").addEventListener("click", nextDrill);
element("drill-kind").addEventListener("change", nextDrill);
element("drill-reset").addEventListener("click", () => {
  store("tally", "{}");
  showTally();
});
["chart", "scores"].forEach(pointable);
element("chart-shows").addEventListener("change", showFigures);
addEventListener("resize", showFigures);
expands("to-settings", "settings");
expands("to-table", "table");
element("language").addEventListener("change", event => {
  speak(event.target.value);
  store("language", language);
});
element("theme").addEventListener("click", () => {
  const dark = element("theme").getAttribute("aria-pressed") !== "true";
  paint(dark);
  store("theme", dark ? "dark" : "light");
});
element("shortcuts").checked = stored("shortcuts") !== "off";
element("shortcuts").addEventListener("change", () =>
  store("shortcuts", element("shortcuts").checked ? "on" : "off"));
document.addEventListener("keydown", pressed);
addEventListener("hashchange", () => {
  readHash();
  speak(language);
});

const darkness = matchMedia("(prefers-color-scheme: dark)");
const theme = stored("theme");
if (theme) paint(theme === "dark");
else element("theme").setAttribute("aria-pressed", String(darkness.matches));
darkness.addEventListener("change", event => {
  if (!document.documentElement.dataset.theme) {
    element("theme").setAttribute("aria-pressed", String(event.matches));
  }
});
play(games.keys().next().value);
readHash();
const wanted = [stored("language"), ...navigator.languages].map(tag => (tag ?? "").slice(0, 2));
speak(wanted.find(tag => tag in words) ?? "en");
if (document.querySelector("link[rel=manifest]") && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("worker.js");
}
