// Practise: what to say, to throw, to see, with hands that are neither trivial nor a toss-up.
//
// Worth is net stones for mus or cut and for throws, the chance of winning the game for
// seeing or folding; what another choice costs lies between these limits.
const KEEN = { say: [0.1, 0.9], throw: [0.04, 0.5], see: [0.01, 0.12] };
const TRIES = 400, SITUATIONS = 60;
let drill = null, practising = false;

const tally = () => {
  try {
    return { ...noTally(), ...JSON.parse(stored("tally") ?? "{}") };
  } catch {
    return noTally();
  }
};
const noTally = () => Object.fromEntries(Object.keys(KEEN).map(kind => [kind, [0, 0, 0]]));
const pick = list => list[Math.floor(Math.random() * list.length)];
const between = ([low, high], value) => value >= low && value <= high;

function dealtHand() {
  const deck = data.deck.flatMap(kind => Array(kind.copies).fill(kind.symbol));
  const cards = Array.from({ length: SIZE }, () =>
    deck.splice(Math.floor(Math.random() * deck.length), 1)[0]);
  return indices.get(cards.sort(byRank).join(""));
}

// Choices of a hand with what each is worth, best first; the right one is the first.
function ranked(hand, seat, kind, choices) {
  const sorted = [...choices].sort((a, b) => b.worth - a.worth);
  return { hand, seat, kind, choices, sorted, gap: sorted[0].worth - sorted[1].worth };
}

function drillOfSaying(hand, seat) {
  return ranked(hand, seat, "say", [
    { name: () => word("say_mus"), worth: ofSeat(data.mus.net, hand, seat) / 100 },
    { name: () => word("say_cut"), worth: netOf(hand, seat) }]);
}

function drillOfThrowing(hand, seat) {
  const { start, keep } = data.keeps, rows = [];
  for (let row = start[hand]; row < start[hand + 1]; row++) rows.push(row);
  const best = rows.sort((a, b) => keepNet(b, seat) - keepNet(a, seat)).slice(0, 4);
  return ranked(hand, seat, "throw", best.sort((a, b) => a - b).map(row => ({
    keep: keep[row], name: () => thrownText(hand, keep[row]), worth: keepNet(row, seat) })));
}

// One count of the hand, then scores, phases and bets until one is worth asking.
async function drillOfSeeing(hand, seat) {
  const rows = await count({
    game: data.game, hand, seat, mark: null, partner: null, next: null, previous: null });
  for (let i = 0; i < SITUATIONS; i++) {
    const score = [0, 0].map(() => Math.floor(Math.random() * data.target));
    const asks = { seat, score, phase: pick(phases), onTable: 0, earlier: {},
      offer: pick([2, 2, 5, ORDAGO, ORDAGO]) };
    const found = choicesOf(rows, asks);
    if (!found) continue;
    const made = ranked(hand, seat, "see", found.choices.slice(0, 2).map(choice => ({
      name: () => actionName(choice), worth: choice.equity })));
    if (between(KEEN.see, made.gap)) return { ...made, asks, win: found.win };
  }
  return null;
}

async function drawDrill(kinds) {
  for (let i = 0; i < TRIES; i++) {
    const kind = pick(kinds), hand = dealtHand(), seat = pick(SEATS);
    const made = kind === "say" ? drillOfSaying(hand, seat)
      : kind === "throw" ? drillOfThrowing(hand, seat) : await drillOfSeeing(hand, seat);
    if (made && between(KEEN[kind], made.gap)) return made;
  }
  return null;
}

let drawing = 0;
async function nextDrill() {
  const now = ++drawing;
  const chosen = element("drill-kind").value;
  const able = Object.keys(KEEN).filter(kind => kind !== "say" || data.mus);
  element("drill-answers").replaceChildren();
  element("drill-worth").replaceChildren();
  element("drill-question").textContent = word("counting");
  const drawn = await drawDrill(able.includes(chosen) ? [chosen] : able);
  // Another may have been asked for meanwhile.
  if (now !== drawing) return;
  drill = drawn;
  showDrill();
}

const worthText = (kind, worth) => (kind === "see" ? percent(worth) : signed(worth));

function drillQuestion({ kind, seat, asks }) {
  const where = seatName(seat);
  if (kind !== "see") return word(`ask_${kind}`, { seat: where });
  return word("ask_see", { seat: where, phase: phaseName(asks.phase), score: asks.score.join("–"),
    offer: asks.offer === ORDAGO ? word("ordago") : word("bet", { n: asks.offer }) });
}

function showDrill() {
  showTally();
  if (!drill) return;
  element("drill-hand").replaceChildren(...[...data.hands[drill.hand]].map(symbol =>
    make("li", {}, make("strong", {}, symbol), " ", make("small", {}, cardName(symbol)))));
  element("drill-question").textContent = drillQuestion(drill);
  element("drill-answers").replaceChildren(...drill.choices.map(choice => {
    const button = make("button", { type: "button" },
      ...(choice.keep === undefined ? [choice.name()] : thrown(drill.hand, choice.keep)));
    button.addEventListener("click", () => answerDrill(choice));
    button.disabled = drill.answer !== undefined;
    if (drill.answer === choice) button.setAttribute("aria-pressed", "true");
    return button;
  }));
  showWorth();
}

function answerDrill(choice) {
  drill.answer = choice;
  const [right] = drill.sorted, cost = right.worth - choice.worth;
  const kept = tally(), [good, all, lost] = kept[drill.kind];
  kept[drill.kind] = [good + Number(cost === 0), all + 1, lost + cost];
  store("tally", JSON.stringify(kept));
  showDrill();
  tell(element("drill-worth").textContent);
  element("drill-next").focus();
}

function showWorth() {
  if (drill.answer === undefined) return element("drill-worth").replaceChildren();
  const [right] = drill.sorted, cost = right.worth - drill.answer.worth;
  const text = cost === 0 ? word("right") : word("wrong", {
    right: right.name(), cost: drill.kind === "see" ? percent(cost) : stones(cost) });
  const lines = drill.sorted.map(choice => make("li", { class: choice === right ? "main" : "" },
    `${choice.name()}: ${worthText(drill.kind, choice.worth)}`));
  const why = word(`why_${drill.kind}`, { win: percent(drill.win ?? 0) });
  return element("drill-worth").replaceChildren(make("p", { class: "lead" }, text), " ",
    make("ul", {}, ...lines), " ", make("p", { class: "note" }, why));
}

function showTally() {
  const kept = tally();
  const lines = Object.entries(kept).map(([kind, [good, all, lost]]) => make("tr", {},
    rowHead(word(`kind_${kind}`)), make("td", {}, `${good} / ${all}`),
    make("td", {}, !all ? "-" : kind === "see" ? percent(lost / all) : stones(lost / all))));
  fill("tally", word("tally"), [corner(), column(word("tally_right")), column(word("tally_lost"))],
    lines);
}

function practise(on) {
  practising = on;
  element("lookup").hidden = on;
  element("practise").hidden = !on;
  element("to-practise").setAttribute("aria-pressed", String(on));
  if (on && !drill) nextDrill();
}
