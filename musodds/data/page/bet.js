// What the outcomes of a question come to: odds of the phases, and each choice at a score.
const LAST = 3, RAISES = [2, 5], ORDAGO = "ordago";
const PASSED = { how: "passed" };
const laneOf = phase => Math.min(phases.indexOf(phase), LAST);
const weigh = (rows, value) => rows.reduce((sum, row) => sum + row.weight * value(row), 0);

function contested(row, phase) {
  if (phase === "pares") return row.mine[0] > 0 && row.theirs[0] > 0;
  if (phase === "juego") return row.mine[1] > 0 && row.theirs[1] > 0;
  if (phase === "punto") return row.mine[1] === 0 && row.theirs[1] === 0;
  return true;
}

function played(row, phase) {
  if (phase === "pares") return row.mine[0] > 0 || row.theirs[0] > 0;
  if (phase === "juego") return row.mine[1] > 0 || row.theirs[1] > 0;
  return contested(row, phase);
}

const takes = (row, phase) => (row.wins >> laneOf(phase) & 1) === 1;

// The chances of each phase, and net stones if everybody passes.
function oddsOf(rows) {
  const total = weigh(rows, () => 1);
  const chance = test => weigh(rows, row => Number(test(row))) / total;
  const found = phases.map(phase => ({
    phase,
    win: chance(row => played(row, phase) && takes(row, phase)),
    none: chance(row => !played(row, phase)),
  }));
  const net = weigh(rows, row => showdown(row, {}).reduce((sum, n) => sum + n, 0)) / total;
  return { phases: found, net, total };
}

// Stones of the showdown, in the order of the count; negative: theirs. What was refused has
// been scored before.
function showdown(row, endings) {
  const ending = phase => endings[phase] ?? PASSED;
  const taken = phase => (ending(phase).how === "refused" ? ending(phase).us : takes(row, phase));
  const bet = phase => (ending(phase).how === "seen" ? ending(phase).stones : 0);
  const signed = (mine, stones) => (mine ? stones : -stones);
  const high = ["grande", "chica"].map(phase => {
    const stones = ending(phase).how === "passed" ? 1 : bet(phase);
    return signed(takes(row, phase), stones);
  });
  const own = (phase, i) => !played(row, phase) ? 0
    : taken(phase) ? bet(phase) + row.mine[i] : -(bet(phase) + row.theirs[i]);
  const last = contested(row, "punto") ? signed(taken("punto"), 1 + bet("punto")) : own("juego", 1);
  return [...high, own("pares", 0), last];
}

// The chance of winning the game after a showdown: its stones are counted one by one.
function equityAfter(stones, [ours, theirs], weAreMano) {
  const { target, equity } = data;
  if (ours >= target || theirs >= target) return Number(ours >= target);
  for (const number of stones) {
    if (number > 0) ours += number;
    else theirs -= number;
    if (ours >= target) return 1;
    if (theirs >= target) return 0;
  }
  // In the next deal the other side is mano.
  return weAreMano ? 1 - equity[theirs * target + ours] : equity[ours * target + theirs];
}

// Every choice in a phase, as musodds bet tells it; null if the phase is not bet on.
function choicesOf(all, { seat, phase, score, offer, onTable, earlier }) {
  const rows = all.filter(row => [...Object.keys(earlier), phase].every(p => contested(row, p)));
  if (!rows.length) return null;
  const total = weigh(rows, () => 1), weAreMano = seat % 2 === 1;
  const mean = value => weigh(rows, value) / total;
  const win = mean(row => Number(takes(row, phase)));
  const after = ending => {
    const reached = [...score];
    if (ending.how === "refused") reached[ending.us ? 0 : 1] += ending.stones;
    const endings = { ...earlier, [phase]: ending };
    return row => equityAfter(showdown(row, endings), reached, weAreMano);
  };
  const seen = stones => stones === ORDAGO ? row => Number(takes(row, phase))
    : after({ how: "seen", stones });
  const folded = us => {
    const table = onTable + (us && Number.isInteger(offer) ? offer : 0);
    return after({ how: "refused", stones: table || 1, us });
  };
  const raised = (action, more, stones, otherwise) => {
    const ifSeen = mean(seen(stones)), ifFolded = mean(folded(true));
    const folds = ifSeen >= otherwise ? 0
      : ifFolded < otherwise ? null : (otherwise - ifSeen) / (ifFolded - ifSeen);
    return { action, more, ifSeen, ifFolded, folds };
  };
  const bets = (action, table, otherwise) => [
    ...RAISES.map(more => raised(action, more, table + more, otherwise)),
    raised(ORDAGO, null, ORDAGO, otherwise)];
  if (offer === null) {
    const pass = mean(after(PASSED));
    return { win, point: null, choices: [{ action: "pass", equity: pass }, ...bets("bet", 0, pass)] };
  }
  const stones = offer === ORDAGO ? ORDAGO : onTable + offer;
  const fold = mean(folded(false)), see = mean(seen(stones));
  const choices = [{ action: "fold", equity: fold }, { action: "see", equity: see }];
  if (offer !== ORDAGO) choices.push(...bets("raise", stones, Math.max(fold, see)));
  return { win, point: pointOf(rows, phase, fold, seen(stones), stones), choices };
}

// The chance of winning the phase at which seeing is worth as much as folding.
function pointOf(rows, phase, fold, seen, stones) {
  if (stones === ORDAGO) return fold;
  const [won, lost] = [true, false].map(wins => {
    const part = rows.filter(row => takes(row, phase) === wins);
    return part.length ? weigh(part, seen) / weigh(part, () => 1) : null;
  });
  if (won === null || lost === null) return null;
  // Sums differ in their last bits: where all is worth the same, their ratio would be noise.
  return lost > fold - 1e-12 ? 0 : won < fold - 1e-12 ? null : (fold - lost) / (won - lost);
}
