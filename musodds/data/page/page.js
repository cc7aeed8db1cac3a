"use strict";
(() => {
  const element = id => document.getElementById(id);
  const data = JSON.parse(element("data").textContent);
  const words = JSON.parse(element("words").textContent);
  const symbols = data.deck.map(kind => kind.symbol), order = symbols.join("");
  const indices = new Map(data.hands.map((text, i) => [text, i]));
  const seats = Array.from({ length: data.seats }, (_, i) => i + 1);
  const phases = data.phases, columns = data.columns, signs = data.signals.names;
  const example = "RR7A", size = 4, across = Math.ceil(symbols.length / 2);
  const LITTLE = 1001, MUCH = 1002, NONE = -1;

  // The cards chosen; the place that the next one goes to (null: the first that is free).
  let cards = Array(size).fill(null), place = null, seat = 1, language = "en";

  // Words and numbers

  const word = (key, values = {}) =>
    words[language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const number = text => (language === "en" ? text : text.replace(".", ","));

  function percent(code) {
    if (code === NONE) return "-";
    if (code === 0) return "0";
    const sign = code === LITTLE ? "<" : code === MUCH ? ">" : "";
    const text = code === LITTLE ? "0.1" : code === MUCH ? "99.9"
      : code === 1000 ? "100" : (code / 10).toFixed(1);
    if (language === "eu") return `%\u202f${sign}${number(text)}`;
    return sign + number(text) + (language === "es" ? "\u202f%" : "%");
  }

  const bare = code => percent(code).replace(/[%\s]/g, "");
  const stones = hundredths => number((hundredths / 100).toFixed(2));
  const signed = hundredths => (hundredths > 0 ? "+" : "") + stones(hundredths).replace("-", "−");
  const share = code => ({ [LITTLE]: 0, [MUCH]: 1000, [NONE]: 0 })[code] ?? code;
  const exactOrder = code => ({ [LITTLE]: 0.5, [MUCH]: 999.5 })[code] ?? code;
  const seatName = n => n === 1 ? `1 ${word("mano")}` : n === data.seats ? `${n} ${word("postre")}` : `${n}`;
  const phaseName = phase => words[language].phases[phase];
  const cardName = symbol => words[language].names[symbol];

  // Where the numbers stand in the flat lists

  const odds = (hand, seat, phase, column) =>
    data.odds[((hand * seats.length + seat - 1) * phases.length + phase) * columns.length
      + columns.indexOf(column)];
  const ofSeat = (list, hand, seat) => list[hand * seats.length + seat - 1];
  const ofSign = (list, hand, sign) => list[hand * signs.length + sign];
  const signNet = (hand, sign, seat) => ofSeat(data.signals.net, hand * signs.length + sign, seat);
  const signWin = (hand, sign, seat, phase) =>
    data.signals.win[((hand * signs.length + sign) * seats.length + seat - 1) * phases.length
      + phase];

  // Building blocks

  function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== false && value !== null) made.setAttribute(name, value);
    }
    made.append(...children.filter(child => child !== null));
    return made;
  }

  function fill(id, caption, heads, rows) {
    const head = make("tr", {}, ...heads);
    element(id).replaceChildren(
      make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...rows));
  }

  const column = (text, attributes = {}) => make("th", { scope: "col", ...attributes }, text);
  const corner = () => make("td", {});
  const rowHead = (text, small = null) =>
    make("th", { scope: "row" }, text, small && make("small", {}, small));
  const netClass = value => (value > 0 ? "gain" : value < 0 ? "loss" : "");

  // The parts of the answer

  function plays(hand) {
    const names = words[language];
    const paired = [...data.paired[hand]].map(symbol => names.several[symbol]).join(names.and);
    const pares = filled(names.pares[data.pares[hand]], { a: paired });
    const value = phase => {
      const number = data.stones[phase][hand];
      return number ? ` · ${names.stones[number]}` : "";
    };
    const juego = data.stones.juego[hand] > 0;
    const total = word(juego ? "juego_of" : "punto_of", { n: data.points[hand] });
    return [pares + value("pares"), total + value("juego")];
  }

  function showPlays(hand) {
    const all = data.ways.reduce((sum, ways) => sum + ways, 0);
    const once = Math.round(all / data.ways[hand]).toLocaleString("en");
    const dealt = language === "en" ? once : once.replace(",", ".");
    const places = Object.entries(data.places).map(([phase, list]) =>
      word("place", { phase: phaseName(phase), n: list[hand], top: data.top[phase] }));
    element("plays-title").textContent = [...data.hands[hand]].join(" ");
    element("plays").replaceChildren(
      ...plays(hand).map(text => make("li", { class: "main" }, text)),
      ...[...places, word("dealt", { n: dealt })].map(text => make("li", {}, text)));
  }

  function showOdds(hand) {
    const chosen = n => (n === seat ? "chosen" : "");
    const rows = phases.map((phase, p) => {
      const none = odds(hand, seat, p, "void");
      const small = none === 0 ? null : word("not_played", { chance: percent(none) });
      return make("tr", {}, rowHead(phaseName(phase), small), ...seats.map(n => {
        const win = odds(hand, n, p, "win");
        const bar = make("span", { class: "bar", style: `--part: ${share(win) / 10}%` });
        return make("td", { class: chosen(n) }, percent(win), bar);
      }));
    });
    const net = seats.map(n => {
      const value = ofSeat(data.net, hand, n);
      return make("td", { class: `${chosen(n)} ${netClass(value)}` }, signed(value));
    });
    rows.push(make("tr", { class: "total" }, rowHead(word("net")), ...net));
    const heads = seats.map(n => column(seatName(n), { class: chosen(n) }));
    fill("odds", word("odds_title"), [corner(), ...heads], rows);
  }

  function showDetail(hand) {
    const title = word("detail_title", { seat: seatName(seat) });
    const rows = columns.map(name =>
      make("tr", {}, rowHead(words[language].columns[name]), ...phases.map((_, p) => {
        const value = odds(hand, seat, p, name);
        return make("td", {}, name.startsWith("stones") ? stones(value) : percent(value));
      })));
    element("detail-title").textContent = title;
    fill("detail", title, [corner(), ...phases.map(p => column(phaseName(p)))], rows);
  }

  function thrown(hand, keep) {
    const left = [...keep.replace("-", "")];
    const stays = [...data.hands[hand]].map(symbol => {
      const at = left.indexOf(symbol);
      if (at >= 0) left.splice(at, 1);
      return [symbol, at >= 0];
    });
    const list = kept => stays.filter(([, stay]) => stay === kept).map(([symbol]) => symbol)
      .join(" ") || word("nothing");
    const said = `${word("keep", { cards: list(true) })}, ${word("throw", { cards: list(false) })}`;
    return [
      make("span", { class: "unseen" }, said),
      make("span", { class: "minis", "aria-hidden": "true" },
        ...stays.map(([symbol, stay]) => make("span", { class: stay ? "" : "thrown" }, symbol))),
    ];
  }

  function showDiscards(hand) {
    const best = data.discards;
    const rows = seats.map(n => {
      const cells = [rowHead(seatName(n))];
      if (best) {
        const say = ofSeat(best.mus, hand, n) ? "mus" : "cut";
        cells.push(make("td", {}, make("span", { class: `say ${say}` }, word(`say_${say}`)), " ",
          ...thrown(hand, ofSeat(best.keep, hand, n))));
      }
      const net = ofSeat(data.solo.net, hand, n);
      cells.push(
        make("td", {}, ...thrown(hand, ofSeat(data.solo.keep, hand, n)), " ",
          make("span", { class: `worth ${netClass(net)}` }, signed(net))));
      return make("tr", {}, ...cells);
    });
    const heads = [...(best ? ["everybody"] : []), "alone"].map(key => column(word(key)));
    fill("discards", word("discards_title"), [corner(), ...heads], rows);
    element("discards-note").textContent = word(best ? "discards_note" : "discards_note_solo");
  }

  function marked(text, value, base) {
    if (value === base) return make("td", {}, text);
    const up = value > base;
    return make("td", {}, text, make("i", { class: up ? "gain" : "loss" }, up ? "▲" : "▼"));
  }

  function showSignals(hand) {
    const title = word("signals_title", { seat: seatName(seat) });
    const base = phases.map((_, p) => odds(hand, seat, p, "win")), net = ofSeat(data.net, hand, seat);
    const rows = [make("tr", { class: "base" }, rowHead(word("no_signal")),
      ...base.map(code => make("td", {}, bare(code))), make("td", {}, signed(net)))];
    signs.forEach((name, s) => {
      const chance = ofSign(data.signals.chance, hand, s);
      if (chance === 0) return;
      const wins = phases.map((_, p) => signWin(hand, s, seat, p));
      const after = signNet(hand, s, seat);
      rows.push(make("tr", {},
        rowHead(words[language].signals[name], word("holds", { chance: percent(chance) })),
        ...wins.map((code, p) => marked(bare(code), exactOrder(code), exactOrder(base[p]))),
        marked(signed(after), after, net)));
    });
    element("signals-title").textContent = title;
    const heads = [...phases.map(p => column(`${phaseName(p)} %`)), column(word("net"))];
    fill("signals", title, [corner(), ...heads], rows);
  }

  function spoken(hand) {
    const said = phases.map((phase, p) =>
      `${phaseName(phase)} ${percent(odds(hand, seat, p, "win"))}`).join(", ");
    return word("spoken", {
      hand: [...data.hands[hand]].map(cardName).join(" "), plays: plays(hand).join(", "),
      seat: seatName(seat), odds: said, net: signed(ofSeat(data.net, hand, seat)),
    });
  }

  // The hand

  function show(say = true) {
    if (!cards.includes(null)) {
      if (place === null) cards.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    }
    const sorted = [...cards].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join("");
    const hand = cards.includes(null) ? undefined : indices.get(sorted);
    [...element("slots").children].forEach((button, i) => {
      const card = cards[i], name = card ? cardName(card) : word("empty");
      button.className = card ? "held" : "";
      button.setAttribute("aria-label", `${word("card", { n: i + 1 })}: ${name}`);
      button.setAttribute("aria-pressed", String(place === i));
      button.replaceChildren(...(card ? [make("strong", {}, card), make("small", {}, name)] : []));
    });
    const known = hand !== undefined, missing = cards.filter(card => card === null).length;
    element("results").hidden = !known;
    element("waiting").hidden = known;
    element("waiting").textContent = words[language].to_go[missing];
    if (known) {
      for (const part of [showPlays, showOdds, showDetail, showDiscards, showSignals]) part(hand);
      history.replaceState(null, "", `#${sorted}`);
    }
    if (say) element("status").textContent = known ? spoken(hand) : words[language].to_go[missing];
  }

  function choose(symbol) {
    let at = place ?? cards.indexOf(null);
    if (at < 0) {
      cards.fill(null);
      at = 0;
    }
    cards[at] = symbol;
    place = null;
    show();
  }

  function takeBack() {
    const last = cards.findLastIndex(card => card !== null);
    const at = place ?? last;
    if (at < 0) return;
    cards[at] = null;
    place = null;
    show();
  }

  function clear() {
    cards.fill(null);
    place = null;
    show();
  }

  function deal() {
    const deck = data.deck.flatMap(kind => Array(kind.copies).fill(kind.symbol));
    cards = cards.map(() => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]);
    place = null;
    show();
  }

  const figures = { "1": "A" };
  function symbolOf(key) {
    const symbol = figures[key] ?? key.toUpperCase();
    return data.folds[symbol] ?? symbol;
  }

  function readHash() {
    const text = location.hash.replace(/%20|[^0-9a-z]/gi, "");
    const found = [...text].map(symbolOf);
    if (found.length !== size || !found.every(symbol => symbols.includes(symbol))) return false;
    const sorted = [...found].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    if (!indices.has(sorted.join(""))) return false;
    cards = sorted;
    place = null;
    return true;
  }

  // Keys

  function arrow(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
    const group = event.target.closest?.("#slots, #cards");
    if (!step || (!group && event.target !== document.body)) return;
    if (!group && Math.abs(step) > 1) return;
    const buttons = [...(group ?? element("slots")).children];
    const from = group ? buttons.indexOf(event.target) : step > 0 ? -1 : buttons.length;
    const to = from + step;
    if (to < 0 || to >= buttons.length) return;
    event.preventDefault();
    if (group?.id !== "cards") {
      place = to;
      show(false);
    }
    buttons[to].focus();
  }

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key.startsWith("Arrow")) arrow(event);
    else if (event.key === "Backspace" || event.key === "Delete") takeBack();
    else if (event.key === "Escape") clear();
    else if (/^[a-z0-9]$/i.test(event.key)) {
      const symbol = symbolOf(event.key);
      if (symbols.includes(symbol)) choose(symbol);
      else element("status").textContent = word("no_card", { key: event.key.toUpperCase() });
    }
  });

  // Language and theme

  function store(key, value) {
    try {
      localStorage.setItem(`musodds-${key}`, value);
    } catch { /* a browser may forbid it: then the choice lasts as long as the page */ }
  }

  function stored(key) {
    try {
      return localStorage.getItem(`musodds-${key}`);
    } catch {
      return null;
    }
  }

  function speak(chosen) {
    language = chosen;
    document.documentElement.lang = chosen;
    element("language").value = chosen;
    for (const part of document.querySelectorAll("[data-word]")) {
      part.textContent = word(part.dataset.word, { cards: symbols.join(" ") });
    }
    for (const part of document.querySelectorAll("[data-label]")) {
      part.setAttribute("aria-label", word(part.dataset.label));
    }
    [...element("cards").children].forEach((button, i) => {
      button.setAttribute("aria-label", cardName(symbols[i]));
      button.lastChild.textContent = cardName(symbols[i]);
    });
    document.querySelectorAll("#seats span").forEach((span, i) => {
      span.textContent = seatName(i + 1);
    });
    show(false);
  }

  function paint(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    element("theme").setAttribute("aria-pressed", String(dark));
  }

  // Start

  for (let i = 0; i < size; i++) {
    const button = make("button", { type: "button" });
    button.addEventListener("click", () => {
      place = place === i ? null : i;
      show(false);
    });
    element("slots").append(button);
  }
  element("cards").style.setProperty("--across", across);
  for (const symbol of symbols) {
    const button = make("button", { type: "button" }, make("strong", {}, symbol), make("small"));
    button.addEventListener("click", () => choose(symbol));
    element("cards").append(button);
  }
  for (const n of seats) {
    const input = make("input", { type: "radio", name: "seat", value: n, checked: n === seat && "" });
    input.addEventListener("change", () => {
      seat = n;
      show();
    });
    element("seats").append(make("label", {}, input, make("span")));
  }
  element("back").addEventListener("click", takeBack);
  element("clear").addEventListener("click", clear);
  element("deal").addEventListener("click", deal);
  element("language").addEventListener("change", event => {
    speak(event.target.value);
    store("language", language);
  });
  element("theme").addEventListener("click", () => {
    const dark = element("theme").getAttribute("aria-pressed") !== "true";
    paint(dark);
    store("theme", dark ? "dark" : "light");
  });
  addEventListener("hashchange", () => readHash() && show());

  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const theme = stored("theme");
  if (theme) paint(theme === "dark");
  else element("theme").setAttribute("aria-pressed", String(darkness.matches));
  darkness.addEventListener("change", event => {
    if (!document.documentElement.dataset.theme) {
      element("theme").setAttribute("aria-pressed", String(event.matches));
    }
  });
  if (!readHash()) cards = [...example];
  const wanted = [stored("language"), ...navigator.languages].map(tag => (tag ?? "").slice(0, 2));
  speak(wanted.find(tag => tag in words) ?? "en");
})();
