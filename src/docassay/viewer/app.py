"""The application: pages for people and JSON for them, over the runs that are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from docassay.errors import ConfigurationError, DataError, DocassayError
from docassay.run.diffs import WORDS, encoded
from docassay.run.output import csv_line
from docassay.version import VERSION
from docassay.viewer.images import PageRefused
from docassay.viewer.index import MOST_LINES, DocumentEntry, Selection
from docassay.viewer.render import NO_PAGE, TOO_LARGE
from docassay.viewer.review import AskedDecision, Unfit
from docassay.viewer.runs import ViewedRun
from docassay.viewer.state import NotThere, Viewer

SHELL = "viewer.html"
TYPES = {
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2",
}
"""What is served of our own files, by suffix."""
LARGEST_BODY = 64 << 10
USUAL_LINES = 50
EXPORTED = (
    *("document", "type", "field", "row", "gold", "pred", "verdict", "cause", "reason"),
    *("confidence", "decision"),
)


class _Asked(NamedTuple):
    """A run, and one of its documents."""

    run: ViewedRun
    entry: DocumentEntry


def make_app(viewer: Viewer) -> Starlette:
    """Return the application."""

    def get(path: str, answer: Callable[[Viewer, Request], Response]) -> Route:
        def endpoint(request: Request) -> Response:
            return answer(viewer, request)

        return Route(path, endpoint, methods=["GET"])

    async def decide(request: Request) -> Response:
        body = await _body(request)
        return await run_in_threadpool(_decide, viewer, request, body)

    routes = [
        get("/", _shell),
        get("/compare", _compare_page),
        get("/compare/documents/{id:path}", _compare_page),
        get("/runs/{key}", _run_page),
        get("/runs/{key}/documents", _run_page),
        get("/runs/{key}/documents/{id:path}", _run_page),
        get("/static/{name}", _static),
        get("/api/start", _start),
        get("/api/compare", _comparison),
        get("/api/images/{id:path}", _pages),
        get("/api/pages/{page:int}/{id:path}", _picture),
        get("/api/runs/{key}", _run),
        get("/api/runs/{key}/thresholds", _thresholds),
        get("/api/runs/{key}/documents", _documents),
        get("/api/runs/{key}/documents/{id:path}", _document),
        get("/api/runs/{key}/next", _next),
        get("/api/runs/{key}/export", _export),
        get("/api/runs/{key}/review", _review),
        Route("/api/runs/{key}/decisions", decide, methods=["POST"]),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            HTTPException: _http_failure,
            DocassayError: _failure,
            Exception: _bug,
        },
    )
    app.router.redirect_slashes = False
    return app


def _http_failure(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _said(request, error.status_code, str(error.detail))


def _failure(request: Request, error: Exception) -> Response:
    assert isinstance(error, DocassayError)
    status = 500
    if isinstance(error, NotThere):
        status = 404
    elif isinstance(error, Unfit):
        status = 409
    elif isinstance(error, ConfigurationError):
        status = 400
    elif isinstance(error, PageRefused):
        status = {NO_PAGE: 404, TOO_LARGE: 413}.get(error.code, 415)
    elif isinstance(error, DataError):
        status = 409
    return _said(request, status, error.sentence)


def _bug(request: Request, error: Exception) -> Response:
    return _said(request, 500, f"this is a bug in docassay: {type(error).__name__}: {error}")


def _said(request: Request, status: int, words: str) -> Response:
    if request.url.path.startswith("/api/"):
        return _json({"error": words}, status)
    return PlainTextResponse(f"{words}\n", status)


def _json(data: object, status: int = 200) -> Response:
    content = data if isinstance(data, bytes) else encoded(data)
    return Response(content, status, media_type="application/json")


def _asset(name: str) -> bytes | None:
    """Return one of our own files by its plain name."""
    folder = files("docassay.report") / "assets"
    if name not in {entry.name for entry in folder.iterdir() if entry.is_file()}:
        return None
    return (folder / name).read_bytes()


def _shell(viewer: Viewer, request: Request) -> Response:
    content = _asset(SHELL)
    if content is None:
        raise HTTPException(404, "the pages of the viewer are not installed")
    return Response(content, media_type="text/html; charset=utf-8")


def _static(viewer: Viewer, request: Request) -> Response:
    name = request.path_params["name"]
    kind = TYPES.get(name.rpartition(".")[2])
    content = None if kind is None else _asset(name)
    if content is None:
        raise HTTPException(404, "there is no such file")
    headers = {"Cache-Control": "no-cache"}
    return Response(content, media_type=kind, headers=headers)


def _run_page(viewer: Viewer, request: Request) -> Response:
    """Return the page of a run or of its document, if there is such a one."""
    if "id" in request.path_params:
        _asked(viewer, request)
    else:
        viewer.run(request.path_params["key"])
    return _shell(viewer, request)


def _compare_page(viewer: Viewer, request: Request) -> Response:
    if len(viewer.runs) < 2:
        raise HTTPException(404, "there is one run, and nothing to compare it with")
    if "id" in request.path_params:
        viewer.known(request.path_params["id"])
    for name in ("a", "b"):
        if name in request.query_params:
            viewer.run(request.query_params[name])
    return _shell(viewer, request)


def _asked(viewer: Viewer, request: Request) -> _Asked:
    return _Asked(*viewer.entry(request.path_params["key"], request.path_params["id"]))


def _start(viewer: Viewer, request: Request) -> Response:
    runs = []
    for run in viewer.runs:
        data = _run_facts(run)
        runs.append(
            {
                "key": run.key,
                "name": run.name,
                "folder": str(run.folder),
                "documents": data["documents"],
                "headline": data["headline"],
                "notes": run.notes,
            }
        )
    with_gold = [run for run in viewer.runs if not run.header.plan.without_gold]
    return _json(
        {
            "version": VERSION,
            "runs": runs,
            "comparison": len(viewer.runs) > 1,
            "images": viewer.images is not None,
            "review": {"file": str(viewer.review.file), "reviewer": viewer.review.reviewer},
            "suspects": len(with_gold) == len(viewer.runs),
        }
    )


def _run_facts(run: ViewedRun) -> dict[str, object]:
    return msgspec.json.decode(run.data, type=dict[str, object])


def _run(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["key"])
    data = _run_facts(run)
    notes = data["notes"]
    assert isinstance(notes, list)
    return _json(
        {**data, "key": run.key, "notes": [*run.notes, *notes], "types": run.index.types()}
    )


def _thresholds(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["key"])
    curves = msgspec.json.decode(run.index.meta("curves") or b"{}", type=dict[str, object])
    return _json({"fields": curves})


def _comparison(viewer: Viewer, request: Request) -> Response:
    return _json(viewer.comparison())


def _selected(viewer: Viewer, request: Request) -> tuple[Selection, list[str]]:
    """Return what an address selects, and the documents with decisions where that matters."""
    selection = Selection.read(request.query_params)
    if selection.sort == "suspects":
        viewer.suspects()
    return selection, viewer.review.decided()


def _documents(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["key"])
    selection, decided = _selected(viewer, request)
    offset = _number(request, "offset", 0)
    limit = min(_number(request, "limit", USUAL_LINES), MOST_LINES)
    entries = run.index.lines(selection, decided, offset=offset, limit=limit)
    return _json(
        {
            "total": run.index.count(selection, decided),
            "offset": offset,
            "lines": _lines(viewer, run, entries),
        }
    )


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not text.isdecimal() or len(text) > 9:
        raise HTTPException(400, f"{name} is {text[:20]!r}, and no whole number")
    return int(text)


def _lines(
    viewer: Viewer, run: ViewedRun, entries: Sequence[DocumentEntry]
) -> list[dict[str, object]]:
    values = run.index.wrong_values([entry.n for entry in entries])
    decisions = viewer.review.patch().decisions
    return [
        {
            "id": entry.id,
            "type": entry.type,
            "score": entry.score,
            "exact": None if entry.wrong is None else entry.wrong == 0,
            "wrong": entry.wrong,
            "problems": entry.problems,
            "outcome": entry.outcome,
            "fields": [*dict.fromkeys(value.verdict.field for value in values[entry.n])],
            "causes": [*dict.fromkeys(value.cause for value in values[entry.n] if value.cause)],
            "decided": len(decisions.get(entry.id, ())),
            "suspect": entry.suspect,
        }
        for entry in entries
    ]


def _document(viewer: Viewer, request: Request) -> Response:
    return _json(_document_data(viewer, *_asked(viewer, request)))


def _document_data(viewer: Viewer, run: ViewedRun, entry: DocumentEntry) -> dict[str, object]:
    return {
        **viewer.review.diff(run, entry),
        "images": viewer.images is not None,
        "runs": [each.key for each in viewer.runs if each.index.entry(entry.id) is not None],
    }


def _next(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["key"])
    selection, decided = _selected(viewer, request)
    after = request.query_params.get("after", "")
    if after:
        viewer.entry(run.key, after)
    back = request.query_params.get("back") == "1"
    return _json({"id": run.index.next_wrong(after, selection, decided, back=back)})


def _export(viewer: Viewer, request: Request) -> Response:
    run = viewer.run(request.path_params["key"])
    selection, decided = _selected(viewer, request)
    form = request.query_params.get("form", "csv")
    if form not in ("csv", "jsonl"):
        raise HTTPException(400, f"there is no form {form[:20]!r}: it is csv or jsonl")
    rows = _exported(viewer, run, selection, decided)
    content = _csv(rows) if form == "csv" else (encoded(row) + b"\n" for row in rows)
    name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in run.key)
    return StreamingResponse(
        content,
        media_type="text/csv; charset=utf-8" if form == "csv" else "application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}.{form}"'},
    )


def _csv(rows: Iterator[dict[str, object]]) -> Iterator[bytes]:
    yield csv_line(EXPORTED).encode()
    for row in rows:
        cells = [value if isinstance(value, str | float | int) else None for value in row.values()]
        yield csv_line(cells).encode("utf-8", "backslashreplace")


def _exported(
    viewer: Viewer, run: ViewedRun, selection: Selection, decided: Sequence[str]
) -> Iterator[dict[str, object]]:
    """Yield the wrong values of a selection, a few documents at a time."""
    decisions = viewer.review.patch().decisions
    offset = 0
    while entries := run.index.lines(selection, decided, offset=offset, limit=MOST_LINES):
        offset += len(entries)
        values = run.index.wrong_values([entry.n for entry in entries])
        for entry in entries:
            by_path = {each.path: each.action for each in decisions.get(entry.id, ())}
            for verdict, cause, row in values[entry.n]:
                word = WORDS[verdict.verdict]
                asked = (selection.field, selection.cause, selection.verdict)
                own = (verdict.field, cause, word)
                if any(wanted and wanted != has for wanted, has in zip(asked, own, strict=True)):
                    continue
                yield dict(
                    zip(
                        EXPORTED,
                        (
                            *(entry.id, entry.type, verdict.field, row, verdict.gold),
                            *(verdict.pred, word, cause, verdict.reason, verdict.confidence),
                            by_path.get(verdict.gold_path or verdict.pred_path or "", ""),
                        ),
                        strict=True,
                    )
                )


def _pages(viewer: Viewer, request: Request) -> Response:
    id = viewer.known(request.path_params["id"])
    pages = [] if viewer.images is None else viewer.images.pages(id)
    return _json({"pages": [page._asdict() for page in pages]})


def _picture(viewer: Viewer, request: Request) -> Response:
    id = viewer.known(request.path_params["id"])
    if viewer.images is None:
        raise HTTPException(404, "there are no pages: --images DIR says where they are")
    content = viewer.images.picture(id, request.path_params["page"])
    return Response(content, media_type="image/png", headers={"Cache-Control": "private"})


def _review(viewer: Viewer, request: Request) -> Response:
    return _json(_review_data(viewer, viewer.run(request.path_params["key"])))


def _review_data(viewer: Viewer, run: ViewedRun) -> dict[str, object]:
    headline = _run_facts(run)["headline"]
    assert isinstance(headline, list)
    return viewer.review.data(run, headline)


async def _body(request: Request) -> bytes:
    """Return the body of a request that writes, at most so much of it."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "a decision is sent as application/json")
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > LARGEST_BODY:
            raise HTTPException(413, "a decision is not that long")
    return content


def _decide(viewer: Viewer, request: Request, body: bytes) -> Response:
    key = request.path_params["key"]
    viewer.run(key)
    try:
        asked = msgspec.json.decode(body, type=AskedDecision)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise HTTPException(400, f"this is no decision: {error}") from None
    run, entry = viewer.entry(key, asked.document)
    viewer.review.decide(run, entry, asked)
    document = _document_data(viewer, run, entry)
    return _json({"document": document, "review": _review_data(viewer, run)})
