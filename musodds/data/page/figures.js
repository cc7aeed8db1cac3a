// What the figures to point at are of: every hand in a cell of its own, and every score.
//
// A figure is a square of cells, each with its part of a scale from -1 to 1, its name, the
// number to write where there is room, and the question that a tap asks.
const STEPS = [0.25, 0.5, 0.75], EVERY = 5;

const otherSeat = seat => (seat === data.seats ? 1 : data.seats);
const whole = value => (value * 100).toFixed(0);
const tenths = value => decimal(value.toFixed(1)).replace(/^-(0.0)$/, "$1").replace("-", "−");

// What may be shown of hands: in which seats, around which middle, how it is told.
function numbersShown() {
  const sides = [asked.seat, otherSeat(asked.seat)].map(seat => ({ seat, name: seatName(seat) }));
  const inStones = { sides, middle: 0, told: signed, short: tenths };
  const found = new Map([["net", {
    label: word("net"), value: (hand, { seat }) => netOf(hand, seat), ...inStones }]]);
  phases.forEach((phase, p) => found.set(phase, {
    label: word("chance_of", { phase: phaseName(phase) }), sides, middle: 0.5, told: percent,
    short: whole, value: (hand, { seat }) => odds(hand, seat, p, "win") }));
  if (data.mus) {
    found.set("mus", { label: word("gain_of_mus"), ...inStones, value: (hand, { seat }) =>
      ofSeat(data.mus.net, hand, seat) / 100 - netOf(hand, seat) });
  }
  for (const phase of data.betting ? phases : []) found.set(`bets-${phase}`, solvedBets(phase));
  return found;
}

// How often each hand bets, first or after a pass, where both sides play as solved.
function solvedBets(phase) {
  const score = asked.seat % 2 === 1 ? asked.score : [...asked.score].reverse();
  const here = nearestSolved(data.betting.points.filter(one => one.phase === phase), score);
  const sides = ["speaks_first", "after_pass"].map((key, side) => ({
    name: word(key),
    bets: here.filter(one => one.side === side && one.action !== "raise").map(weightsOf) }));
  const own = { pares: hand => data.stones.pares[hand] > 0, juego: hand => data.stones.juego[hand] > 0,
    punto: hand => data.stones.juego[hand] === 0 }[phase];
  return {
    label: word("who_bets", { phase: phaseName(phase) }), sides, bets: true, middle: 0, told: percent,
    short: whole, at: word("solved_at", { model: data.betting.model, score: here[0].score.join("–") }),
    value: (hand, { bets }) => (own && !own(hand) ? null
      : bets.reduce((sum, weights) => sum + weights[hand], 0) / 255),
  };
}

function handsFigure() {
  const numbers = numbersShown(), chosen = element("chart-shows").value || "net";
  const key = numbers.has(chosen) ? chosen : "net", shown = numbers.get(key);
  element("chart-shows").replaceChildren(...[...numbers].map(([name, { label }]) => option(name, label)));
  element("chart-shows").value = key;
  const pairs = symbols.flatMap((one, i) => symbols.slice(i).map(other => one + other));
  const cells = shown.sides.flatMap((side, below) => data.hands.map((text, hand) => {
    const high = pairs.indexOf(text.slice(0, 2)), low = pairs.indexOf(text.slice(2));
    const [row, column] = below ? [low + 1, high] : [high, low + 1];
    return { row, column, key: text, of: side.name, value: shown.value(hand, side) };
  })).filter(({ value }) => value !== null);
  const reach = shown.bets ? -1 : Math.max(...cells.map(({ value }) => Math.abs(value - shown.middle)));
  for (const cell of cells) {
    cell.share = (cell.value - shown.middle) / reach;
    cell.name = `${[...cell.key].join(" ")}, ${cell.of}: ${shown.told(cell.value)}`;
    cell.short = shown.short(cell.value);
  }
  const [upper, lower] = shown.sides.map(({ name }) => name), end = n => shown.told(shown.middle + n * reach);
  return {
    cells, size: pairs.length + 1, label: shown.label, bets: shown.bets,
    scale: shown.bets ? [end(0), end(-1)] : [end(-1), end(0), end(1)],
    note: [word("chart_note", { upper, lower }), shown.at].filter(Boolean).join(" "),
    frame: (cell, left) => pairFrame(pairs, cell, left),
    chosen: () => (asked.cards.includes(null) ? null : [...asked.cards].sort(byRank).join("")),
    asks: ({ key: text }) => text,
    take: ({ key: text }) => {
      asked.cards = [...text];
      changed();
    },
  };
}

// Names of the pairs on all four sides, or of their first cards where the cells are small; lines
// where another first card begins.
function pairFrame(pairs, cell, left) {
  const size = (pairs.length + 1) * cell, far = left + size, starts = [];
  pairs.forEach((pair, i) => {
    if (!i || pair[0] !== pairs[i - 1][0]) starts.push(i);
  });
  const named = cell >= NAMED, lines = starts.slice(1).map(i => {
    const [before, after] = [left + i * cell, left + (i + 1) * cell];
    return `M${after} ${before}H${far}M${after} ${left}V${before}M${before} ${after}V${far}M${left} ${after}H${before}`;
  });
  const labels = (named ? pairs.keys() : starts.values()).flatMap(i => {
    const next = named ? i + 1 : starts.find(start => start > i) ?? pairs.length;
    if ((next - i) * cell < 10) return [];
    const text = named ? pairs[i] : pairs[i][0], upper = left + (i + next) / 2 * cell, lower = upper + cell;
    return [lettered(text, lower, left / 2), lettered(text, upper, far + left / 2),
      lettered(text, left / 2, lower), lettered(text, far + left / 2, upper)];
  });
  return [shape("path", { class: "line", d: lines.join("") }), ...labels];
}

// Every score: our stones upwards, theirs to the right.
function scoresFigure() {
  const { target, equity } = data, weAreMano = asked.seat % 2 === 1, cells = [];
  const chance = (ours, theirs) =>
    (weAreMano ? equity[ours * target + theirs] : 1 - equity[theirs * target + ours]);
  for (let ours = target - 1; ours >= 0; ours--) {
    for (let theirs = 0; theirs < target; theirs++) {
      const value = chance(ours, theirs), key = `${ours}–${theirs}`;
      cells.push({ row: target - 1 - ours, column: theirs, key, score: [ours, theirs], value,
        share: 2 * value - 1, name: `${key}: ${percent(value)}`, short: whole(value) });
    }
  }
  return {
    cells, size: target, dense: true, label: word("equity"), scale: [0, 0.5, 1].map(percent),
    note: word("scores_note", { seat: seatName(asked.seat), later: word(`later_${data.later}`) }),
    frame: (cell, left) => scoreFrame(chance, cell, left),
    chosen: () => asked.score.join("–"),
    asks: ({ key }) => key,
    take: ({ score }) => {
      asked.score = [...score];
      show();
    },
  };
}

// Every fifth score on two sides, and where the chance passes a step of the scale.
function scoreFrame(chance, cell, left) {
  const { target } = data, size = target * cell, paths = STEPS.map(() => "");
  const band = (ours, theirs, step) => chance(ours, theirs) >= step;
  for (let ours = 0; ours < target; ours++) {
    for (let theirs = 0; theirs < target; theirs++) {
      const x = left + theirs * cell, y = left + (target - 1 - ours) * cell;
      STEPS.forEach((step, i) => {
        const here = band(ours, theirs, step);
        if (theirs + 1 < target && band(ours, theirs + 1, step) !== here) paths[i] += `M${x + cell} ${y}v${cell}`;
        if (ours + 1 < target && band(ours + 1, theirs, step) !== here) paths[i] += `M${x} ${y}h${cell}`;
      });
    }
  }
  const labels = [];
  for (let n = 0; n < target; n += EVERY) {
    const along = left + (n + 0.5) * cell, up = left + size - (n + 0.5) * cell;
    labels.push(lettered(n, along, left + size + left / 2), lettered(n, left / 2, up));
  }
  return [...paths.map((d, i) => shape("path", { class: STEPS[i] === 0.5 ? "level half" : "level", d })),
    ...labels];
}
