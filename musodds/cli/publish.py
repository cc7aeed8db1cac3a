"""``musodds publish``: the published tables and figures, made again or checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from musodds.report.results import check, publish
from musodds.store.files import OutputError

PACKAGE = Path("package")
GAMES = Path("games")


@click.command
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option(
    "--only",
    default="*",
    show_default=False,
    metavar="PATTERN",
    help="Only these files, such as mus/*.csv.",
)
@click.option("--check", "checking", is_flag=True, help="Make them again elsewhere and compare.")
def command(folder: Path, only: str, checking: bool) -> None:
    """Make the published tables and figures, with their index and manifest.

    Exact tables and seeded simulations come out the same byte for byte; so do figures
    made with the same matplotlib.

    \b
    Examples:
      musodds publish results
      musodds publish results --only "mus4/*.png"
      musodds publish results --check --only "mus/plays.*"

    FOLDER `package` stands for the numbers that come with musodds itself: all of them
    take hours, one small table a moment.

    \b
      musodds publish package --check --only "odds/mus2p-*"

    FOLDER `games` stands for the ten invented games of tests/data/games in a
    checkout, and their reviews.
    """
    if folder == GAMES:
        _games(checking)
        return
    if folder == PACKAGE:
        _package(only, checking)
        return
    if checking:
        different = check(folder, run, only)
        if different:
            raise click.ClickException("; ".join(different))
        click.echo("all as it was published")
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(error.errno, error.strerror, str(folder)) from error
    publish(folder, run, only, click.echo)


def _package(only: str, checking: bool) -> None:
    """Make the numbers that come with the package again, or compare them."""
    from musodds.report import shipping

    if not checking:
        shipping.make(only, click.echo)
        return
    _compared(shipping.check(only, click.echo), "all as it comes with the package")


def _games(checking: bool) -> None:
    """Play the invented games and review them again, or compare."""
    from musodds.report import example_games

    if not checking:
        example_games.make(click.echo)
        return
    _compared(example_games.different(), "all as they are kept")


def _compared(different: Sequence[str], same: str) -> None:
    """Tell what differs, as an error, or that nothing does."""
    if different:
        raise click.ClickException(f"made again, these are different: {', '.join(different)}")
    click.echo(same)


def run(arguments: Sequence[str]) -> Mapping[str, Any]:
    """Run a command that returns what holds for its answer."""
    name, *rest = arguments
    found: click.Command = import_module(f"musodds.cli.{name}").command
    head: Mapping[str, Any] | None = found.main(
        rest, prog_name=f"musodds {name}", standalone_mode=False
    )
    return head or {"method": "exact"}
