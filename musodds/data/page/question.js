// The question: what is held, what is known, what was said; its address; who counts it.
const fresh = () => ({
  // Cards chosen; the place that the next one goes to (null: the first that is free).
  cards: Array(SIZE).fill(null), place: null, seat: 1, sign: null,
  declared: { pares: Array(4).fill(null), juego: Array(4).fill(null) },
  score: [0, 0], phase: null, offer: null, onTable: 0, earlier: {},
});
let asked = fresh();

const byRank = (a, b) => order.indexOf(a) - order.indexOf(b);
const handOf = cards => cards.includes(null) ? undefined : indices.get([...cards].sort(byRank).join(""));
const others = seat => [seat % 4 + 1, (seat + 1) % 4 + 1, (seat + 2) % 4 + 1];

function symbolOf(key) {
  const symbol = key === "1" ? "A" : key.toUpperCase();
  return data.folds[symbol] ?? symbol;
}

// The hands that a seat may hold after its declarations: weights, or null for any hand.
function declaredHands(seat) {
  const said = ["pares", "juego"].filter(phase => asked.declared[phase][seat - 1] !== null);
  if (!said.length) return null;
  return data.hands.map((_, h) => Number(said.every(phase =>
    data.stones[phase][h] > 0 === asked.declared[phase][seat - 1])));
}

const both = (one, other) => !one ? other : !other ? one : one.map((n, i) => n * other[i]);
const signHands = sign => (sign === null ? null : data.signals.true[data.signals.names.indexOf(sign)]);

// What is to be counted; `sign` apart, as the table of signs asks for all of them.
function known(hand, sign) {
  const [next, mate, previous] = others(asked.seat);
  return {
    game: data.game, hand, seat: asked.seat, mark: null,
    partner: both(declaredHands(mate), signHands(sign)),
    next: declaredHands(next), previous: declaredHands(previous),
  };
}

// Declarations that the hand itself contradicts.
const contradicted = hand => ["pares", "juego"].find(phase => {
  const said = asked.declared[phase][asked.seat - 1];
  return said !== null && said !== data.stones[phase][hand] > 0;
});
const plain = question => !question.partner && !question.next && !question.previous;

// Workers count, where there are workers; else the page itself, a moment later. What leaves all
// hands open is most to count, and is shared out: its rows need only stand together.
const counted = new Map(), waiting = new Map(), ready = new Map();
const HELPERS = Math.max(1, Math.min(4, navigator.hardwareConcurrency ?? 1));
let helpers = typeof Worker === "undefined" ? null : [], asking = 0;

function helper(i) {
  if (!helpers[i]) {
    const source = `const counting = ${counting}; const engine = counting(), games = new Map();
      onmessage = ({ data: { id, game, question, share } }) => {
        if (game) games.set(game.game, engine.prepare(game));
        postMessage({ id, rows: engine.count(games.get(question.game), question, share) });
      };`;
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    worker.onmessage = ({ data: { id, rows } }) => {
      waiting.get(id).resolve(rows);
      waiting.delete(id);
    };
    worker.onerror = () => waiting.forEach(({ reject }) => reject());
    helpers[i] = { worker, told: new Set() };
  }
  return helpers[i];
}

const forCounting = ({ game, deck, hands, level, top, seats, stones: own }) =>
  ({ game, deck, hands, level, top, seats, stones: own });

function countThere(question, share) {
  return new Promise((resolve, reject) => {
    const { worker, told } = helper(share[0]), game = told.has(question.game) ? null : forCounting(data);
    told.add(question.game);
    waiting.set(++asking, { resolve, reject });
    worker.postMessage({ id: asking, game, question, share });
  });
}

function countHere(question) {
  if (!ready.has(question.game)) ready.set(question.game, counting().prepare(data));
  return counting().count(ready.get(question.game), question, [0, 1]);
}

async function countSomewhere(question) {
  const number = plain(question) ? HELPERS : 1;
  try {
    if (helpers) {
      const shares = Array.from({ length: number }, (_, i) => countThere(question, [i, number]));
      return (await Promise.all(shares)).flat();
    }
  } catch {
    helpers = null; // A browser may forbid workers to a file.
  }
  await new Promise(resolve => setTimeout(resolve));
  return countHere(question);
}

function count(question) {
  const key = JSON.stringify(question);
  if (!counted.has(key)) {
    if (counted.size > 40) counted.delete(counted.keys().next().value);
    counted.set(key, countSomewhere(question));
  }
  return counted.get(key);
}

// The address: #RR7A/4/31, then what was said: /pares:yn-y/38-35/grande:5/see:chica:2+5
const ANSWERS = { y: true, n: false, "-": null };
const letter = said => (said === null ? "-" : said ? "y" : "n");

function address() {
  const parts = [[...asked.cards].sort(byRank).join("")];
  if (data.game !== games.keys().next().value) parts.push(data.game);
  if (asked.seat !== 1 || asked.sign) parts.push(asked.seat);
  if (asked.sign) parts.push(asked.sign);
  for (const [phase, said] of Object.entries(asked.declared)) {
    if (said.some(one => one !== null)) parts.push(`${phase}:${said.map(letter).join("")}`);
  }
  if (asked.score.some(Boolean)) parts.push(asked.score.join("-"));
  for (const [phase, { how, stones: agreed, us }] of Object.entries(asked.earlier)) {
    parts.push(`${phase}:${how === "seen" ? agreed : us ? "us" : "them"}`);
  }
  if (asked.phase && asked.offer === null) parts.push(`bet:${asked.phase}`);
  else if (asked.phase) {
    parts.push(`see:${asked.phase}:${asked.onTable ? `${asked.onTable}+` : ""}${asked.offer}`);
  }
  return `#${parts.join("/")}`;
}

const isBet = text => /^\d{1,3}$/.test(text) && Number(text) >= 2;

function readPart(part, found) {
  const [name, value = "", more = ""] = part.split(":");
  if (/^[1-4]$/.test(part)) found.seat = Number(part);
  else if (data.signals.names.includes(part)) found.sign = part;
  else if (/^\d+-\d+$/.test(part)) {
    const score = part.split("-").map(Number);
    if (score.every(n => n < data.target)) found.score = score;
  } else if (name in found.declared && /^[yn-]{4}$/.test(value)) {
    found.declared[name] = [...value].map(one => ANSWERS[one]);
  } else if (name === "bet" && phases.includes(value)) found.phase = value;
  else if (name === "see" && phases.includes(value)) {
    const [offer, table = "0"] = more.split("+").reverse();
    if (!isBet(offer) && offer !== ORDAGO || table !== "0" && !isBet(table)) return;
    Object.assign(found, { phase: value, onTable: Number(table),
      offer: offer === ORDAGO ? ORDAGO : Number(offer) });
  } else if (phases.includes(name) && isBet(value)) {
    found.earlier[name] = { how: "seen", stones: Number(value) };
  } else if (phases.includes(name) && ["us", "them"].includes(value)) {
    found.earlier[name] = { how: "refused", stones: 0, us: value === "us" };
  }
}

const before = phase => (phase ? phases.slice(0, Math.min(phases.indexOf(phase), 3)) : []);

// Null for an empty address; else the question, or the text that is no hand.
function readAddress() {
  let hash = location.hash.slice(1);
  try {
    hash = decodeURIComponent(hash);
  } catch { /* a lone % is no escape: the text as it is */ }
  const [cards, ...parts] = hash.split("/"), text = cards.replace(/[\s,-]/g, "");
  if (!text) return null;
  const named = parts.find(part => games.has(part));
  play(named ?? games.keys().next().value);
  const symbolsFound = [...text].map(symbolOf), found = fresh();
  if (symbolsFound.length !== SIZE || !symbolsFound.every(s => symbols.includes(s))
    || handOf(symbolsFound) === undefined) return { wrong: cards };
  found.cards = symbolsFound.sort(byRank);
  for (const part of parts) readPart(part, found);
  const earlier = before(found.phase);
  for (const phase of Object.keys(found.earlier)) {
    if (!earlier.includes(phase)) delete found.earlier[phase];
  }
  return { found };
}
