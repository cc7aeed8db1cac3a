// The game that is shown, its words and numbers.
const element = id => document.getElementById(id);
const words = JSON.parse(element("words").textContent);
const games = new Map([...document.querySelectorAll("script.game")].map(part => [
  part.dataset.game, () => readGame(JSON.parse(part.textContent))]));
const NONE = -1, LITTLE = 1001, MUCH = 1002, SIZE = 4, SEATS = [1, 2, 3, 4];
let data, phases, symbols, order, indices, language = "en";

function numbers(text, Kind) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
}

function readGame(found) {
  found.odds = numbers(found.odds, Int16Array);
  found.equity = numbers(found.equity, Float64Array);
  found.keeps.net = numbers(found.keeps.net, Int16Array);
  found.keeps.keep = found.keeps.keep.split(" ");
  if (found.discards) found.discards.keep = found.discards.keep.split(" ");
  if (found.mus) found.mus.net = numbers(found.mus.net, Int16Array);
  found.indices = new Map(found.hands.map((text, i) => [text, i]));
  return found;
}

function play(name) {
  const found = games.get(name);
  if (typeof found === "function") games.set(name, found());
  data = games.get(name);
  ({ phases, indices } = data);
  symbols = data.deck.map(kind => kind.symbol);
  order = symbols.join("");
}

const filled = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const say = key => words[language][key];
const word = (key, values) => filled(say(key), values);
const decimal = text => (language === "en" ? text : text.replace(".", ","));

// A chance, as the package writes it: none but 0 and 1 reads as 0 or 1.
function percent(chance) {
  if (chance === null) return "-";
  const [sign, text] = chance === 0 ? ["", "0"] : chance === 1 ? ["", "100"]
    : chance < 0.0005 ? ["<", "0.1"] : chance >= 0.9995 ? [">", "99.9"]
      : ["", (chance * 100).toFixed(1)];
  if (text === "0") return "0";
  if (language === "eu") return `%\u202f${sign}${decimal(text)}`;
  return sign + decimal(text) + (language === "es" ? "\u202f%" : "%");
}

const coded = { [NONE]: null, [LITTLE]: 0.0004, [MUCH]: 0.9996 };
const chanceOf = code => (code in coded ? coded[code] : code / 1000);
const bare = chance => percent(chance).replace(/[%\s]/g, "");
const stones = value => decimal(value.toFixed(2));
const signed = value => {
  const text = stones(value);
  if (Number(value.toFixed(2)) === 0) return stones(0);
  return (value > 0 ? "+" : "") + text.replace("-", "−");
};
const seatName = n => n === 1 ? `1 ${word("mano")}` : n === data.seats ? `${n} ${word("postre")}` : `${n}`;
const phaseName = phase => say("phases")[phase];
const cardName = symbol => say("names")[symbol];
const tone = value => (value > 0 ? "gain" : value < 0 ? "loss" : "");

// Where the numbers stand in the flat lists.
const odds = (hand, seat, phase, column) => {
  const at = ((hand * data.seats + seat - 1) * phases.length + phase) * data.columns.length
    + data.columns.indexOf(column);
  return column.startsWith("stones") ? data.odds[at] / 100 : chanceOf(data.odds[at]);
};
const ofSeat = (list, hand, seat) => list[hand * data.seats + seat - 1];
const netOf = (hand, seat) => ofSeat(data.net, hand, seat) / 100;

const make = (tag, attributes = {}, ...children) =>
  dressed(document.createElement(tag), attributes, children);

function dressed(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter(child => child !== null));
  return made;
}

function fill(id, caption, heads, rows) {
  element(id).replaceChildren(make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
}

const column = (text, attributes = {}) => make("th", { scope: "col", ...attributes }, text);
const corner = () => make("td", {});
const rowHead = (text, small = null) =>
  make("th", { scope: "row" }, text, small && " ", small && make("small", {}, small));

// The plays of a hand, in words.
function playsOf(hand) {
  const paired = [...data.paired[hand]].map(symbol => say("several")[symbol]).join(say("and"));
  const pares = filled(say("pares")[data.pares[hand]], { a: paired });
  const value = phase => {
    const number = data.stones[phase][hand];
    return number ? ` · ${say("stones")[number]}` : "";
  };
  const juego = data.stones.juego[hand] > 0;
  const total = word(juego ? "juego_of" : "punto_of", { n: data.points[hand] });
  return [pares + value("pares"), total + value("juego")];
}

// Cards that stay and go, in words and as little cards.
function split(hand, keep) {
  const left = [...keep.replace("-", "")];
  return [...data.hands[hand]].map(symbol => {
    const at = left.indexOf(symbol);
    if (at >= 0) left.splice(at, 1);
    return [symbol, at >= 0];
  });
}

function thrownText(hand, keep) {
  const list = kept => split(hand, keep).filter(([, stays]) => stays === kept)
    .map(([symbol]) => symbol).join(" ") || word("nothing");
  return `${word("keep", { cards: list(true) })}, ${word("throw", { cards: list(false) })}`;
}

function thrown(hand, keep) {
  return [
    make("span", { class: "unseen" }, thrownText(hand, keep)),
    make("span", { class: "minis", "aria-hidden": "true" }, ...split(hand, keep)
      .map(([symbol, stays]) => make("span", { class: stays ? "" : "thrown" }, symbol))),
  ];
}

// What the device keeps: a browser may forbid it, then it lasts as long as the page.
const memory = new Map();
function store(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(`musodds-${key}`, value);
  } catch { /* see above */ }
}

function stored(key) {
  try {
    return localStorage.getItem(`musodds-${key}`) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}
