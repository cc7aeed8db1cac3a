// A square of cells to point at, drawn once it is opened: hover, focus and tap name a cell.
const CELLS = { chart: [20, 29], scores: [15, 26] };
// The smallest cells in which pairs of cards, and numbers, have room.
const NAMED = 18, WRITTEN = 24;
const MARGIN = { chart: [14, 24], scores: [22, 22] };
// Shares from which a number is black in the dark theme too, and white in the light one.
const INKS = { low: [0.54, 0.81], high: [0.48, 0.67] };
const squares = {};

// Whoever writes the name space of SVG writes an address, and the page has none.
const shape = (tag, attributes = {}, ...children) =>
  dressed(document.createElementNS(element("chart").namespaceURI, tag), attributes, children);
const lettered = (text, x, y) => shape("text", { x, y, "aria-hidden": "true" }, text);

function showFigures() {
  showSquare("chart", handsFigure);
  showSquare("scores", scoresFigure);
}

function showSquare(id, made) {
  // To ask for a width is to have the whole page laid out.
  if (!element(`${id}-part`).open) return;
  const figure = element(`${id}-figure`), room = figure.clientWidth;
  if (!room) return;
  const large = element(`${id}-larger`).getAttribute("aria-pressed") === "true";
  const chosen = element("chart-shows").value;
  const shows = id === "chart" ? [chosen, chosen.startsWith("bets") && asked.score] : [];
  figure.classList.toggle("large", large);
  const key = JSON.stringify([data.game, language, asked.seat, room, large, shows]);
  if (squares[id]?.key !== key) {
    const at = squares[id]?.at;
    squares[id] = { key, ...made() };
    drawSquare(id, room, large);
    const { cells, chosen } = squares[id];
    pointAt(id, (at && squares[id].place.get(`${at.row} ${at.column}`))
      ?? cells.find(cell => cell.key === chosen()) ?? cells[0]);
  }
  markChosen(id);
}

function drawSquare(id, room, large) {
  const square = squares[id], { cells, size, scale } = square, [least, most] = MARGIN[id];
  const fits = margin => Math.floor((room - 2 * margin) / size);
  square.cell = large ? CELLS[id][1] : Math.max(4, Math.min(CELLS[id][0],
    fits(most) >= NAMED ? fits(most) : fits(least)));
  square.left = square.cell >= NAMED ? most : least;
  const { cell, left } = square, edge = size * cell + 2 * left;
  square.place = new Map(cells.map(one => [`${one.row} ${one.column}`, one]));
  const rows = Array.from({ length: size }, (_, row) => shape("g", { role: "row", "aria-rowindex": row + 1 }));
  for (const one of cells) {
    one.drawn = cellShape(square, one);
    rows[one.row].append(one.drawn);
  }
  square.ring = shape("rect", { class: "ring", width: cell + 1, height: cell + 1 });
  square.marks = shape("path", { class: "mark" });
  const svg = element(id);
  svg.setAttribute("width", edge);
  svg.setAttribute("height", edge);
  svg.setAttribute("aria-label", square.label);
  svg.setAttribute("aria-rowcount", size);
  svg.setAttribute("aria-colcount", size);
  svg.replaceChildren(...rows.filter(row => row.children.length), ...square.frame(cell, left),
    square.marks, square.ring);
  element(`${id}-note`).textContent = square.note;
  element(`${id}-scale`).className = square.bets ? "scale bets" : "scale";
  element(`${id}-scale`).replaceChildren(make("b", {}, square.label), make("i", {}),
    ...scale.map(text => make("span", {}, text)));
}

// The ground in the middle's colour, the end's over it by its share; the number where it fits.
function cellShape({ cell, left, dense }, { row, column, share, name, short }) {
  const x = left + column * cell, y = left + row * cell, gap = dense ? 0 : 1;
  const box = { x, y, width: cell - gap, height: cell - gap };
  const end = share < 0 ? "low" : "high", strength = Math.abs(share);
  const text = cell >= WRITTEN ? lettered(short, x + cell / 2, y + cell / 2) : null;
  text?.setAttribute("class", `ink${INKS[end].filter(limit => strength > limit).length}`);
  return shape("g", { role: "gridcell", tabindex: -1, "aria-colindex": column + 1, "aria-label": name },
    shape("rect", { ...box, class: "ground" }),
    shape("rect", { ...box, class: end, "fill-opacity": strength.toFixed(3) }), text);
}

function markChosen(id) {
  const { cells, cell, left, chosen, marks } = squares[id], key = chosen();
  const d = cells.filter(one => one.key === key).map(({ row, column }) =>
    `M${left + column * cell - 1} ${left + row * cell - 1}h${cell + 1}v${cell + 1}h${-cell - 1}z`);
  marks.setAttribute("d", d.join(""));
}

// One cell is pointed at: the keyboard comes to it, the line below names it.
function pointAt(id, one) {
  const square = squares[id], { cell, left, ring } = square;
  square.at?.drawn.setAttribute("tabindex", -1);
  square.at = one;
  one.drawn.setAttribute("tabindex", 0);
  ring.setAttribute("x", left + one.column * cell - 1);
  ring.setAttribute("y", left + one.row * cell - 1);
  element(`${id}-told`).textContent = one.name;
  element(`${id}-take`).textContent = word("ask_about", { what: square.asks(one) });
}

function cellUnder(id, event) {
  const { cells, place, cell, left } = squares[id], own = event.target.closest?.("[role=gridcell]");
  if (own) return cells.find(one => one.drawn === own);
  const box = element(id).getBoundingClientRect();
  const along = (at, edge) => Math.floor((at - edge - left) / cell);
  return place.get(`${along(event.clientY, box.top)} ${along(event.clientX, box.left)}`);
}

// From a cell to the next one in the same row or column, over what is empty.
function cellBeside(id, key) {
  const { at, size, place } = squares[id];
  const [down, right, far] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    Home: [0, -1, true], End: [0, 1, true] }[key] ?? [0, 0];
  let found;
  for (let n = 1; (down || right) && n < size && (far || !found); n++) {
    found = place.get(`${at.row + n * down} ${at.column + n * right}`) ?? found;
  }
  return found;
}

function pressedIn(id, event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const next = cellBeside(id, event.key);
  if (next) next.drawn.focus();
  else if (event.key === "Enter" || event.key === " ") squares[id].take(squares[id].at);
  else if (!/^(Arrow|Home|End)/.test(event.key)) return;
  event.preventDefault();
}

function pointable(id) {
  const svg = element(id), named = act => event => {
    const one = cellUnder(id, event);
    if (one) act(one);
  };
  svg.addEventListener("pointermove", named(one => one !== squares[id].at && pointAt(id, one)));
  svg.addEventListener("pointerdown", named(one => pointAt(id, one)));
  svg.addEventListener("focusin", named(one => pointAt(id, one)));
  svg.addEventListener("click", named(one => {
    pointAt(id, one);
    squares[id].take(one);
  }));
  svg.addEventListener("keydown", event => pressedIn(id, event));
  element(`${id}-part`).addEventListener("toggle", showFigures);
  element(`${id}-take`).addEventListener("click", () => squares[id].take(squares[id].at));
  element(`${id}-larger`).addEventListener("click", () => {
    const larger = element(`${id}-larger`);
    larger.setAttribute("aria-pressed", String(larger.getAttribute("aria-pressed") !== "true"));
    showFigures();
  });
}
