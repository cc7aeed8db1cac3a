"""The same figures to point at: hover names the hand and its number.

Drawn by Altair (Vega-Lite): in a notebook they show themselves; written to HTML they are one
file without network, some 0.9 megabytes of it the library. Plotly's is four times that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from musodds.errors import InputError
from musodds.report.plots import FIGURES, figure_data
from musodds.report.plots.style import drawn_in
from musodds.report.plots.style import theme as colours_now
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.stakes.equity import PASO, SOLVED

if TYPE_CHECKING:
    import altair

    Chart = altair.Chart | altair.FacetChart | altair.LayerChart | altair.HConcatChart


def interactive(
    name: str, game: str | Game = "mus", *, theme: str = "light", **options: Any
) -> Chart:
    """A figure whose points say what they are when they are pointed at.

    Parameters
    ----------
    name : str
        One of those of :func:`musodds.report.plots.figure` that have points to name:
        ``strength``, ``chart``, ``discards``, ``signals``, ``stones``, ``equity``,
        ``strategy``, ``kinds`` or ``prices``.
    game : str or Game, optional
    theme : str, optional
        ``light`` or ``dark``.
    **options
        As for the figure: ``hand``, ``seat``, ``phase`` ...

    Returns
    -------
    altair Chart
        Shows itself in a notebook; ``chart.save("x.html", inline=True)`` writes it.

    Raises
    ------
    InputError
        If there is no such figure, or Altair is not installed.

    Examples
    --------
    >>> chart = interactive("stones", "mus2p")
    >>> chart.to_dict()["title"]["text"]
    'stones: mus2p'
    """
    game = get_game(game)
    if name not in _DRAWN:
        known = f"those are {', '.join(_DRAWN)}"
        what = "has nothing to point at" if name in FIGURES else "is no figure"
        raise InputError(f"{name!r} {what}: {known}")
    try:
        import altair
    except ImportError:
        raise InputError(
            "figures to point at need Altair: pip install 'musodds[interactive]'"
        ) from None
    data = figure_data(name, game, **options)
    if name == "strategy":
        game = _of_strategy(game, options)
    with drawn_in(theme):
        chart: Any = _DRAWN[name](altair, data)
        title: Any = altair.TitleParams(
            f"{name}: {game.name}", subtitle="point at a mark to read it", anchor="start"
        )
        finished: Chart = _coloured(chart.properties(title=title))
    return finished


def _of_strategy(game: Game, options: Mapping[str, Any]) -> Game:
    """A file has a game of its own."""
    from musodds.report.plots.strategy import game_of, strategy_of

    file = options.get("file")
    return game if file is None else game_of(strategy_of(file))


def _coloured(chart: Any) -> Any:
    """Ground, text and lines in the colours of the theme."""
    now = colours_now()
    text = {"labelColor": now.ink, "titleColor": now.ink}
    return (
        chart.configure(background=now.paper)
        .configure_axis(**text, gridColor=now.line, domainColor=now.faint, tickColor=now.faint)
        .configure_legend(**text)
        .configure_header(**text)
        .configure_title(color=now.ink, subtitleColor=now.faint)
        .configure_view(stroke=now.line)
    )


def to_html(chart: Chart) -> str:
    """The chart as one HTML file, the library in it, so that it needs no network."""
    from io import StringIO

    stream = StringIO()
    chart.save(stream, format="html", inline=True)
    return stream.getvalue()


def _changes(
    altair: Any, column: str, title: str, values: Any, middle: float = 0, format_name: str = ""
) -> Any:
    """A column in the colours that the printed figures have for what has a sign."""
    high, low = colours_now().ends
    reach = float(abs(values - middle).max())
    scale = altair.Scale(
        domain=[middle - reach, middle, middle + reach], range=[low, colours_now().zero, high],
        interpolate="rgb",
    )  # fmt: skip
    legend = altair.Legend(format=format_name) if format_name else altair.Undefined
    return altair.Color(f"{column}:Q", scale=scale, title=title, legend=legend)


def _strength(altair: Any, data: Any) -> Any:
    seats = [column for column in data if column.startswith("win_")]
    long = data.melt(
        id_vars=["phase", "hand", "play", "dealt", "weaker"], value_vars=seats,
        var_name="seat", value_name="win",
    )  # fmt: skip
    long["seat"] = long["seat"].str.removeprefix("win_")
    shades = list(colours_now().seats[: len(seats)])
    return (
        altair.Chart(long)
        .mark_point(filled=True, size=14)
        .encode(
            x=altair.X("weaker:Q", title="hands that are weaker", axis=altair.Axis(format="%")),
            y=altair.Y("win:Q", title="your side takes it", axis=altair.Axis(format="%")),
            color=altair.Color("seat:N", scale=altair.Scale(range=shades)),
            tooltip=["hand", "play", "seat", altair.Tooltip("win:Q", format=".1%")],
        )
        .properties(width=620, height=110)
        .facet(row=altair.Row("phase:N", sort=list(PHASES), title=None))
    )


def _chart(altair: Any, data: Any) -> Any:
    data = data.assign(high=data["hand"].str[:2], low=data["hand"].str[2:])
    order = list(dict.fromkeys(data["high"])), list(dict.fromkeys(data["low"]))
    middle = 50 if data["value"].min() >= 0 else 0
    title = "chance (%)" if middle else "net stones"
    return (
        altair.Chart(data)
        .mark_rect()
        .encode(
            x=altair.X("low:N", sort=order[1], title="two lower cards"),
            y=altair.Y("high:N", sort=order[0], title="two higher cards"),
            color=_changes(altair, "value", title, data["value"], middle),
            tooltip=[
                "hand", "seat", altair.Tooltip("value:Q", format="+.2f"),
                altair.Tooltip("dealt:Q", format=".2%"),
            ],
        )
        .properties(width=440, height=440)
        .facet(column=altair.Column("seat:N", title="seat"))
    )  # fmt: skip


def _discards(altair: Any, data: Any) -> Any:
    data = data.assign(gain=data["after"] - data["before"])
    return (
        altair.Chart(data)
        .mark_circle(opacity=0.8)
        .encode(
            x=altair.X("before:Q", title="net stones, cards as dealt"),
            y=altair.Y("after:Q", title="net stones after the best discard"),
            size=altair.Size("dealt:Q", title="share of deals", legend=altair.Legend(format="%")),
            color=_changes(altair, "gain", "gain", data["gain"]),
            tooltip=["hand", "keep", *(
                altair.Tooltip(f"{name}:Q", format="+.2f") for name in ("before", "after", "gain")
            )],
        )
        .properties(width=520, height=520)
        .interactive()
    )  # fmt: skip


def _signals(altair: Any, data: Any) -> Any:
    long = data.melt(
        id_vars=["signal", "meaning", "chance", "net"], value_vars=list(PHASES),
        var_name="phase", value_name="change",
    )  # fmt: skip
    return (
        altair.Chart(long)
        .mark_rect()
        .encode(
            x=altair.X("phase:N", sort=list(PHASES), title=None),
            y=altair.Y("signal:N", sort=list(data["signal"]), title=None),
            color=_changes(
                altair, "change", "change of the chance", long["change"], format_name="+.0%"
            ),
            tooltip=[
                "signal", "meaning", altair.Tooltip("chance:Q", format=".1%"), "phase",
                altair.Tooltip("change:Q", format="+.1%"), altair.Tooltip("net:Q", format="+.2f"),
            ],
        )
        .properties(width=420)
    )  # fmt: skip


def _stones(altair: Any, data: Any) -> Any:
    long = data.melt(id_vars=["stones"], var_name="side", value_name="chance")
    colours = [colours_now().ours, colours_now().theirs]
    return (
        altair.Chart(long)
        .mark_bar()
        .encode(
            x=altair.X("stones:O", title="stones that a side scores in a deal"),
            xOffset="side:N",
            y=altair.Y("chance:Q", title="deals", axis=altair.Axis(format="%")),
            color=altair.Color("side:N", scale=altair.Scale(range=colours)),
            tooltip=["side", "stones", altair.Tooltip("chance:Q", format=".2%")],
        )
        .properties(width=520)
    )


def _equity(altair: Any, data: Any) -> Any:
    colour = _changes(altair, "chance", "our chance", data["chance"], 0.5, format_name=".0%")
    return _scores(altair, data, colour, altair.Tooltip("chance:Q", format=".2%"))


def _kinds(altair: Any, data: Any) -> Any:
    chances = (altair.Tooltip(f"{name}:Q", format=".1%") for name in (PASO, SOLVED))
    colour = _changes(altair, "change", "change by betting", data["change"], format_name="+.0%")
    return _scores(altair, data, colour, *chances, altair.Tooltip("change:Q", format="+.1%"))


def _scores(altair: Any, data: Any, colour: Any, *numbers: Any) -> Any:
    """A square of all scores, which name themselves and their numbers."""
    return (
        altair.Chart(data)
        .mark_rect()
        .encode(
            x=altair.X("theirs:O", title="their stones"),
            y=altair.Y("ours:O", sort="descending", title="our stones"),
            color=colour,
            tooltip=["ours", "theirs", *numbers],
        )
        .properties(width=520, height=520)
    )


def _prices(altair: Any, data: Any) -> Any:
    phases = [column for column in data if column in PHASES]
    long = data.melt(
        id_vars=["sign", "meaning", "chance"], value_vars=phases, var_name="phase",
        value_name="price",
    ).dropna()  # fmt: skip
    return (
        altair.Chart(long)
        .mark_rect()
        .encode(
            x=altair.X("phase:N", sort=phases, title=None),
            y=altair.Y("sign:N", sort=list(data["sign"]), title=None),
            color=_changes(altair, "price", "net stones gained", long["price"]),
            tooltip=[
                "sign", "meaning", altair.Tooltip("chance:Q", format=".1%", title="is held"),
                "phase", altair.Tooltip("price:Q", format="+.2f", title="net stones gained"),
            ],
        )
        .properties(width=84 * len(phases))
    )  # fmt: skip


def _strategy(altair: Any, data: Any) -> Any:
    data = data.assign(text=data["say"] + data["frequency"].map(lambda x: f" {10 * x:.1f}"))
    sides = [rows for _, rows in data.groupby(["who", "line"], sort=False)]
    return altair.hconcat(*(_point(altair, rows) for rows in sides)).resolve_scale(
        color="independent", opacity="independent"
    )


def _point(altair: Any, data: Any) -> Any:
    """One point of a solved game: what a hand says most often has a colour, the rest is told."""
    from musodds.report.plots.strategy import colours

    keys = ["hand", "dealt", "comes"]
    texts = data.groupby(keys, sort=False)["text"].agg(", ".join).rename("of ten").reset_index()
    top = data.loc[data.groupby("hand", sort=False)["frequency"].idxmax()]
    top = top.drop(columns="text").merge(texts, on=keys)
    top = top.assign(high=top["hand"].str[:2], low=top["hand"].str[2:])
    order = list(dict.fromkeys(top["high"])), list(dict.fromkeys(top["low"]))
    words = colours(tuple(dict.fromkeys(data["say"])))
    scale = altair.Scale(domain=list(words), range=list(words.values()))
    who = f"{data['who'].iloc[0]}: {data['line'].iloc[0] or 'nothing said yet'}"
    return (
        altair.Chart(top[top["comes"] > 0])
        .mark_rect()
        .encode(
            x=altair.X("low:N", sort=order[1], title="two lower cards"),
            y=altair.Y("high:N", sort=order[0], title="two higher cards"),
            color=altair.Color("say:N", scale=scale, title="says most often"),
            tooltip=["hand", "of ten", altair.Tooltip("dealt:Q", format=".2%")],
        )
        .properties(width=440, height=440, title=who)
    )


_DRAWN: dict[str, Callable[[Any, Any], Any]] = {
    "strength": _strength,
    "chart": _chart,
    "discards": _discards,
    "signals": _signals,
    "stones": _stones,
    "equity": _equity,
    "strategy": _strategy,
    "kinds": _kinds,
    "prices": _prices,
}
