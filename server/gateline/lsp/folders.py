"""Which session owns which document: each workspace folder has its own, the innermost one wins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.lsp.addresses import file_of, is_read, path_in, uri_of
from gateline.lsp.options import ClientOptions
from gateline.model import Level

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from gateline.session.session import Session


@dataclass(eq=False)
class Folder:
    """A root with its own settings and interpreter, and the session that works there."""

    root: Path
    options: ClientOptions
    passing: bool = False
    """Made for documents outside the workspace; ends with the last of them."""
    session: Session | None = None
    """None until the server is ready, and while it restarts."""
    level: Level = Level.EARLY
    """The checkpoint its findings were last shown for."""
    uris: dict[str, str] = field(default_factory=dict)
    """The client's own spelling of the URIs of open documents, by path."""

    git: tuple[Path, ...] = ()
    """Where its repository keeps HEAD and refs."""
    watched: str = ""
    """Names what the client was asked to watch for it; empty when nothing was."""
    restarting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while one session ends and the next begins."""
    status: object = None
    """What the client was last told."""

    @property
    def uri(self) -> str:
        """The root as a URI."""
        return self.root.as_uri()

    def uri_of(self, path: str) -> str:
        """The URI of a document of this folder, as the client spells it."""
        return self.uris.get(path) or uri_of(self.root, path)


@dataclass(frozen=True, slots=True)
class Address:
    """A document as its session knows it."""

    folder: Folder
    path: str
    """Relative to the root, or the URI of a document outside every folder."""


class Folders:
    """The workspace folders, the passing ones beside them, and the owners of open documents."""

    def __init__(self, find_root: Callable[[Path], Path | None]) -> None:
        self._find_root = find_root
        self._folders: dict[Path, Folder] = {}
        self._owners: dict[str, Address] = {}
        self._nowhere: TemporaryDirectory[str] | None = None
        self.options = ClientOptions()
        """What holds where no folder says otherwise."""

    def __iter__(self) -> Iterator[Folder]:
        return iter(list(self._folders.values()))

    def add(self, root: Path) -> Folder:
        """A workspace folder; the same root twice is one folder."""
        folder = self._folders.setdefault(root, Folder(root, self.options))
        folder.passing = False
        return folder

    def remove(self, root: Path) -> Folder | None:
        """The folder that is gone, if it was one."""
        return self._folders.pop(root, None)

    def at(self, uri: str | None) -> Folder | None:
        """The folder a request speaks of: the one with or around this URI, else the first."""
        file = file_of(uri) if uri else None
        return (self._around(file) if file else None) or next(iter(self._folders.values()), None)

    def owner(self, uri: str) -> Address | None:
        """Who owns an open document."""
        return self._owners.get(uri)

    def take(self, uri: str) -> Address | None:
        """Find an owner for a document that is being opened; None for a kind that is not analysed."""
        address = self._address(uri) if is_read(uri) else None
        if address is not None:
            self._owners[uri] = address
            address.folder.uris[address.path] = uri
        return address

    def release(self, uri: str) -> Address | None:
        """A document is closed, or changes hands; who owned it."""
        address = self._owners.pop(uri, None)
        if address is not None:
            address.folder.uris.pop(address.path, None)
        return address

    def address(self, uri: str) -> Address | None:
        """A document's address, open or not."""
        file = file_of(uri)
        folder = self._around(file) if file else None
        path = path_in(folder.root, file) if folder and file else None
        return self.owner(uri) or (Address(folder, path) if folder and path else None)

    def idle(self) -> tuple[Folder, ...]:
        """Passing folders whose last document is closed."""
        return tuple(f for f in self if f.passing and not f.uris)

    def moved(self) -> tuple[str, ...]:
        """Open documents that another folder should own now."""
        return tuple(
            uri
            for uri, address in self._owners.items()
            if address.folder.root not in self._folders or self._better(uri, address)
        )

    def _better(self, uri: str, now: Address) -> bool:
        file = file_of(uri)
        around = self._around(file) if file else None
        return around is not None and around is not now.folder

    def _address(self, uri: str) -> Address:
        file = file_of(uri)
        if file is None:
            return Address(self.at(None) or self._bare(), uri)
        folder = self._around(file) or self._project(file)
        if folder is not None:
            return Address(folder, file.relative_to(folder.root).as_posix())
        return Address(self.at(None) or self._bare(), uri)

    def _around(self, file: Path) -> Folder | None:
        owners = [f for root, f in self._folders.items() if file.is_relative_to(root)]
        return max(owners, key=lambda f: len(f.root.parts), default=None)

    def _project(self, file: Path) -> Folder | None:
        """A passing folder for the project the file belongs to, if it belongs to one."""
        root = self._find_root(file)
        return self._folders.setdefault(root, Folder(root, self.options, passing=True)) if root else None

    def _bare(self) -> Folder:
        """A passing folder with nothing in it, so that a lone document drags nothing along."""
        from tempfile import TemporaryDirectory

        self._nowhere = self._nowhere or TemporaryDirectory(prefix="gateline-")
        root = Path(self._nowhere.name)
        return self._folders.setdefault(root, Folder(root, self.options, passing=True))
