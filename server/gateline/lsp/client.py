"""What the client can do, read once from its capabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lsprotocol import types as lsp

from gateline.lsp.options import ClientOptions


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities this server cares about."""

    pull: bool = False
    """Diagnostics are pulled, and nothing is pushed."""
    refresh: bool = False
    """It can be asked to pull again."""
    related: bool = False
    tags: frozenset[lsp.DiagnosticTag] = frozenset()
    configuration: bool = False
    configuring: bool = False
    """It tells of changed settings to a server that registers for them."""
    watching: bool = False
    """It watches files for a server that registers for them."""
    watching_anywhere: bool = False
    """It watches also outside its folders."""
    saving: bool = False
    """It tells of saved documents that are not open here to a server that registers for them."""
    progress: bool = False
    """It creates a progress display when asked."""
    asking: bool = False
    """It shows a person a question with answers to choose from."""
    repairing: bool = False
    """It takes code actions with edits that name the version they are for."""
    annotating: bool = False
    """It shows what the parts of an edit are for."""
    applying: bool = False
    """It applies an edit that nobody asked it for by a code action."""
    resolving: bool = False
    """It asks for a code action's edit when the person chose it."""
    modelling: bool = False
    """It has a model, and answers `gateline/model/ask`."""


def read_client(capabilities: lsp.ClientCapabilities, options: ClientOptions) -> Client:
    """Sort out the client's capabilities; a client that lacks a whole section can do nothing of it."""
    document = capabilities.text_document or lsp.TextDocumentClientCapabilities()
    workspace = capabilities.workspace or lsp.WorkspaceClientCapabilities()
    window = capabilities.window or lsp.WindowClientCapabilities()
    shown = document.publish_diagnostics or document.diagnostic or lsp.DiagnosticClientCapabilities()
    tags = shown.tag_support.value_set if shown.tag_support else ()
    settings = workspace.did_change_configuration
    watched = workspace.did_change_watched_files
    actions = document.code_action or lsp.CodeActionClientCapabilities()
    edits = workspace.workspace_edit or lsp.WorkspaceEditClientCapabilities()
    resolve = actions.resolve_support
    return Client(
        pull=_pulls(document, options.diagnostics),
        refresh=bool(workspace.diagnostics and workspace.diagnostics.refresh_support),
        related=bool(shown.related_information),
        tags=frozenset(tags),
        configuration=bool(workspace.configuration),
        configuring=bool(settings and settings.dynamic_registration),
        watching=bool(watched and watched.dynamic_registration),
        watching_anywhere=bool(watched and watched.dynamic_registration and watched.relative_pattern_support),
        saving=bool(document.synchronization and document.synchronization.dynamic_registration),
        progress=bool(window.work_done_progress),
        asking=bool(window.show_message and window.show_message.message_action_item),
        repairing=bool(actions.code_action_literal_support and edits.document_changes),
        annotating=bool(edits.change_annotation_support),
        applying=bool(workspace.apply_edit),
        resolving=bool(actions.data_support and resolve and "edit" in resolve.properties),
        modelling=_of(_of(capabilities.experimental, "gateline"), "model") is True,
    )


def _of(value: object, key: str) -> object:
    """A key of an object that may be anything: pygls makes some of them named tuples."""
    return value.get(key) if isinstance(value, Mapping) else getattr(value, key, None)


def _pulls(document: lsp.TextDocumentClientCapabilities, wish: str | None) -> bool:
    """Push shows each analyzer's findings as they come; pull serves those who cannot take it, or ask."""
    if document.diagnostic is None or wish == "push":
        return False
    return wish == "pull" or document.publish_diagnostics is None
