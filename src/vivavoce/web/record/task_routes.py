"""Addresses of one's own tasks: make one, delete one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from vivavoce.rubric.load import published
from vivavoce.web.pages import render
from vivavoce.web.record.own_task import LONGEST_TITLE, form_of
from vivavoce.web.record.shown import shown, store_of

router = APIRouter()
Text = Annotated[str, Form()]


@router.get("/tasks/new")
def new(request: Request, module: str = "") -> Response:
    """Choose what kind of task it is; then its form."""
    if not module:
        return render(request, "record/kinds.html.j2", modules=list(published().modules.values()))
    return render(request, "record/task_form.html.j2", form=form_of({"module": module}), longest=LONGEST_TITLE)


@router.post("/tasks/new")
def make(
    request: Request,
    module: Text = "",
    title: Text = "",
    grade: Text = "",
    reference: Text = "",
    prompt: Text = "",
    keywords: Text = "",
    questions: Text = "",
    point: Annotated[list[str] | None, Form()] = None,
    end_with: Text = "",
    may_stay_vague: Text = "",
) -> Response:
    """Keep a task, or show its form again with what is to be mended."""
    form = form_of(
        {
            "module": module,
            "title": title,
            "grade": grade,
            "reference": reference,
            "prompt": prompt,
            "keywords": keywords,
            "questions": questions,
            "points": point,
            "end_with": end_with,
            "may_stay_vague": may_stay_vague,
        }
    )
    task = form.task()
    if task is None:
        return render(request, "record/task_form.html.j2", 422, form=form, longest=LONGEST_TITLE)
    kept = store_of(request).keep_task(form.title, task)
    return RedirectResponse(f"/record/{kept.id}", status_code=303)


@router.get("/tasks/{task_id}/delete")
def confirm_delete(request: Request, task_id: str) -> Response:
    """Ask before a task is deleted."""
    store = store_of(request)
    task = shown(store.task(task_id))
    return render(request, "record/delete_task.html.j2", task=task, attempts=len(store.attempts(task_id)))


@router.post("/tasks/{task_id}/delete")
def delete(request: Request, task_id: str) -> Response:
    """Delete a task of one's own; what was recorded for it stays."""
    store_of(request).delete_task(task_id)
    return RedirectResponse("/record", status_code=303)
