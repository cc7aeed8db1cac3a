// Exact counts over the hands that one player does not see, for games of two against two.
//
// The function stands alone: a worker is made of its text. As in the package, the others'
// cards are a hand of the partner's, a part that the rivals hold together and its split
// between them; whole numbers throughout, all below 2 ** 53.
const counting = () => {
  const STONES = 7; // own stones of a side in pares, and in juego: 0 to 6
  const KINDS = STONES * STONES, WINS = 16, GUARDS = 1 << 12 | 1 << 25;
  const pascal = [[1]];
  for (let n = 1; n <= 8; n++) {
    pascal.push(Array.from({ length: n + 1 }, (_, k) =>
      (pascal[n - 1][k - 1] ?? 0) + (pascal[n - 1][k] ?? 0)));
  }
  const choose = (n, k) => pascal[n]?.[k] ?? 0;

  // All that does not depend on the question: hands, parts and their splits.
  function prepare(game) {
    const copies = game.deck.map(kind => kind.copies), kinds = copies.length;
    const place = new Map(game.deck.map((kind, i) => [kind.symbol, i]));
    const counts = game.hands.map(text => {
      const row = new Uint8Array(kinds);
      for (const symbol of text) row[place.get(symbol)]++;
      return row;
    });
    const number = new Map(), parts = [], found = [];
    for (let a = 0; a < counts.length; a++) {
      for (let b = 0; b < counts.length; b++) {
        let key = 0, ways = 1, k = 0;
        for (; k < kinds; k++) {
          const both = counts[a][k] + counts[b][k];
          if (both > copies[k]) break;
          key = key * 9 + both;
          ways *= pascal[both][counts[a][k]];
        }
        if (k < kinds) continue;
        let part = number.get(key);
        if (part === undefined) {
          part = parts.length;
          number.set(key, part);
          parts.push(counts[a].map((n, i) => n + counts[b][i]));
        }
        found.push(part, a, b, ways);
      }
    }
    // Splits in the order of their parts.
    const start = new Int32Array(parts.length + 1), size = found.length / 4;
    for (let i = 0; i < found.length; i += 4) start[found[i] + 1]++;
    for (let p = 0; p < parts.length; p++) start[p + 1] += start[p];
    const next = start.slice();
    const first = new Uint16Array(size), second = new Uint16Array(size), ways = new Uint8Array(size);
    for (let i = 0; i < found.length; i += 4) {
      const at = next[found[i]]++;
      first[at] = found[i + 1];
      second[at] = found[i + 2];
      ways[at] = found[i + 3];
    }
    return { game, copies, counts, parts, start, first, second, ways, halves: halvesOf(parts, kinds) };
  }

  // The kinds cut in two: the ways to choose a part are a product of two numbers.
  function halvesOf(parts, kinds) {
    const cut = kinds >> 1;
    return [[0, cut], [cut, kinds]].map(([from, to]) => {
      const number = new Map(), rows = [], of = new Uint16Array(parts.length);
      parts.forEach((part, p) => {
        const row = part.slice(from, to), key = row.join();
        if (!number.has(key)) {
          number.set(key, rows.length);
          rows.push(row);
        }
        of[p] = number.get(key);
      });
      return { from, rows, of };
    });
  }

  function waysOfHalf({ from, rows }, free) {
    return Float64Array.from(rows, row => {
      let ways = 1;
      for (let k = 0; k < row.length && ways; k++) ways *= choose(free[from + k], row[k]);
      return ways;
    });
  }

  // Codes of a hand in a seat: the greatest takes the phase, and of equals who speaks first.
  // Two phases to a number; juego stands above punto, which is played if nobody has juego.
  function codesOf(game, hand, seat) {
    const { level, top, seats } = game;
    const code = value => value * seats + seats - seat;
    const juego = level.juego[hand];
    const last = juego ? code(juego) + top.punto * seats : code(level.punto[hand]);
    return [code(level.grande[hand]), code(level.chica[hand]), code(level.pares[hand]), last];
  }

  const packed = ([grande, chica, pares, last]) => [grande | chica << 13, pares | last << 13];
  const greater = (one, other) => one.map((code, i) => Math.max(code, other[i]));

  // Splits that a question leaves, with the rivals' codes and stones.
  function splitsOf(ready, { seat, next, previous }) {
    const { game, start, first, second, ways } = ready, { stones, seats } = game;
    const after = seat % seats + 1, before = (seat + seats - 2) % seats + 1, lanes = [0, 1, 2, 3];
    const [x, y] = [after, before].map(s => {
      const codes = game.hands.map((_, h) => codesOf(game, h, s));
      return lanes.map(lane => Int32Array.from(codes, code => code[lane]));
    });
    const size = first.length, one = new Int32Array(size), other = new Int32Array(size);
    const kind = new Uint8Array(size), value = new Float64Array(size);
    const from = new Int32Array(start.length);
    let at = 0;
    for (let p = 0; p + 1 < start.length; p++) {
      for (let i = start[p]; i < start[p + 1]; i++) {
        const a = first[i], b = second[i];
        const weight = ways[i] * (next ? next[a] : 1) * (previous ? previous[b] : 1);
        if (!weight) continue;
        one[at] = Math.max(x[0][a], y[0][b]) | Math.max(x[1][a], y[1][b]) << 13;
        other[at] = Math.max(x[2][a], y[2][b]) | Math.max(x[3][a], y[3][b]) << 13;
        kind[at] = (stones.pares[a] + stones.pares[b]) * STONES + stones.juego[a] + stones.juego[b];
        value[at++] = weight;
      }
      from[p + 1] = at;
    }
    return { from, one, other, kind, value };
  }

  // The partner's hands, those with equal codes, stones and mark together.
  function groupsOf(ready, { hand, seat, partner, mark }) {
    const { game, copies, counts } = ready, { stones, seats } = game;
    const mate = (seat + 1) % seats + 1, mine = codesOf(game, hand, seat);
    const free = copies.map((n, k) => n - counts[hand][k]), groups = new Map();
    counts.forEach((row, h) => {
      let ways = partner ? partner[h] : 1;
      for (let k = 0; k < row.length && ways; k++) ways *= choose(free[k], row[k]);
      if (!ways) return;
      const [one, other] = packed(greater(mine, codesOf(game, h, mate)));
      const own = (stones.pares[hand] + stones.pares[h]) * STONES
        + stones.juego[hand] + stones.juego[h];
      const marked = mark ? mark[h] : 0, key = `${one} ${other} ${own} ${marked}`;
      if (!groups.has(key)) groups.set(key, { one, other, own, marked, mates: [] });
      groups.get(key).mates.push({ ways, free: free.map((n, k) => n - row[k]) });
    });
    return [...groups.values()];
  }

  // Outcomes and how many deals have each: rows of mark, wins (a bit a phase), own stones of
  // both sides in pares and juego, and the weight.
  //
  // A question is a hand, a seat, weights of the hands of partner, next and previous (or
  // null), and a mark for each of the partner's hands by which to tell the outcomes apart. Of a
  // share [i, n] only the i-th of n parts is counted.
  function count(ready, question, [share, shares]) {
    const { parts, halves: [left, right] } = ready;
    const marks = question.mark ? 1 + Math.max(...question.mark) : 1;
    const groups = groupsOf(ready, question).filter((_, i) => i % shares === share);
    const { from, one, other, kind, value } = splitsOf(ready, question);
    const sums = new Float64Array(marks * KINDS * WINS * KINDS), here = new Float64Array(WINS << 6);
    const available = new Float64Array(parts.length);
    for (const group of groups) {
      available.fill(0);
      for (const { ways, free } of group.mates) {
        const l = waysOfHalf(left, free), r = waysOfHalf(right, free);
        for (let p = 0; p < available.length; p++) {
          available[p] += ways * l[left.of[p]] * r[right.of[p]];
        }
      }
      const mine = group.one | GUARDS, rest = group.other | GUARDS;
      here.fill(0);
      for (let p = 0; p < available.length; p++) {
        const deals = available[p];
        if (deals === 0) continue;
        for (let i = from[p], end = from[p + 1]; i < end; i++) {
          // The guards that stay after a subtraction tell who wins, all at once.
          const bits = (mine - one[i] & GUARDS) >>> 12 | (rest - other[i] & GUARDS) >>> 10;
          here[((bits | bits >>> 12) & 15) << 6 | kind[i]] += deals * value[i];
        }
      }
      const base = (group.marked * KINDS + group.own) * WINS;
      here.forEach((weight, i) => {
        if (weight) sums[(base + (i >> 6)) * KINDS + (i & 63)] += weight;
      });
    }
    return rowsOf(sums);
  }

  function rowsOf(sums) {
    const rows = [];
    sums.forEach((weight, i) => {
      if (!weight) return;
      const kind = i % KINDS, wins = Math.floor(i / KINDS) % WINS;
      const own = Math.floor(i / KINDS / WINS) % KINDS;
      rows.push({
        mark: Math.floor(i / KINDS / WINS / KINDS), wins, weight,
        mine: [Math.floor(own / STONES), own % STONES],
        theirs: [Math.floor(kind / STONES), kind % STONES],
      });
    });
    return rows;
  }

  return { prepare, count };
};
