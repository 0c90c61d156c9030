"""The real TypeScript client, 1.0.1, in the page of agui-inspector: opened in Chromium, pointed at the server.

The page comes from an origin of its own, so that every run begins with a preflight. What the client made of a run is
read from what the page says itself: its exported session holds runs and findings, and the next request of the thread
holds the messages and the state as the client has them.
"""

import asyncio
import concurrent.futures
import json
import logging
import os
import socket
import threading
import urllib.parse

import uvicorn
from agui_inspector import Agent, mount_inspector
from playwright.async_api import TimeoutError as TimedOut
from playwright.async_api import async_playwright
from starlette.applications import Starlette
from starlette.responses import JSONResponse

SIDE_BY_SIDE = 3
# Seconds for a visit and for those that are asked for before it: all in one browser, next to whatever else runs.
PATIENCE = 300


class Visit:
    """What came of one run: its outcome, the page's findings, what the client asks next, and what the wire sent."""

    def __init__(self, session, following):
        self.session, self.next = session, following
        self.findings = [each["rule"] for each in session["findings"]]
        self.outcome = session["runs"][-1].get("outcome", {})
        self.frames = [each["parsed"] for each in session["frames"] if "parsed" in each]

    @property
    def transcript(self):
        """The client's messages, without what the user says first and last, one line each."""
        return rows(self.next["messages"])


def rows(messages):
    return [row(each) for each in messages if each["role"] != "user"]


def row(message):
    content = message.get("content")
    content = content if isinstance(content, str) else None if content is None else json.dumps(content, ensure_ascii=False)
    calls = [f"{each['function']['name']} {each['function']['arguments']}" for each in message.get("toolCalls", [])]
    parts = [message["role"], message["id"], f"[{'; '.join(calls)}]" if calls else None, content]
    return " ".join(part for part in parts if part)


class Pages:
    """A browser and a web server for the pages, in a thread of their own; visits are made while other checks run."""

    def __init__(self, tools):
        self.tools, self.visits, self.runner = tools, {}, None

    def ask(self, agent, then=None, base=None, say="Hello"):
        """A future `Visit` to an agent. `then` says what to do when a run leaves something open."""
        key = (agent, then, base, say)
        if key not in self.visits:
            self.runner = self.runner or Runner()
            self.visits[key] = self.runner.submit(base or self.tools.base, agent, then, say)
        return self.visits[key]

    def close(self):
        if self.runner:
            self.runner.stop()


class Runner:
    def __init__(self):
        logging.getLogger("agui_inspector").setLevel(logging.ERROR)
        self.mounted = set()
        self.app = Starlette()
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.web = uvicorn.Server(uvicorn.Config(self.app, log_level="error"))
        self.loop = asyncio.new_event_loop()
        self.ready = concurrent.futures.Future()
        self.thread = threading.Thread(target=self._work, args=[listener], daemon=True)
        self.thread.start()
        self.ready.result(60)

    def _work(self, listener):
        asyncio.set_event_loop(self.loop)
        self.over = asyncio.Event()
        self.loop.run_until_complete(self._serve(listener))

    async def _serve(self, listener):
        serving = asyncio.create_task(self.web.serve(sockets=[listener]))
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=os.environ["POLYMOCK_CHROMIUM"], args=["--no-sandbox"])
                self.context = await browser.new_context(viewport={"width": 1400, "height": 1000})
                self.turns = asyncio.Semaphore(SIDE_BY_SIDE)
                self.ready.set_result(None)
                await self.over.wait()
                await browser.close()
        except Exception as problem:
            if not self.ready.done():
                self.ready.set_exception(problem)
        self.web.should_exit = True
        await serving

    def stop(self):
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join(20)

    def submit(self, base, agent, then, say):
        return asyncio.run_coroutine_threadsafe(self._visit(base, agent, then, say), self.loop)

    def _mount(self, base, agent):
        """The page with one agent. Which origins it may reach is a file beside it, which the adopter writes."""
        folder = f"/{urllib.parse.urlsplit(base).port}-{agent.replace(':', '-').replace('@', '-').replace('=', '-').replace('+', '-')}"
        if folder not in self.mounted:
            self.mounted.add(folder)
            self.app.add_route(f"{folder}/hosting-config.json", lambda _: JSONResponse({"version": 0, "mode": "hosted", "allowedOrigins": [base]}))
            url = f"{base}/ag-ui/{urllib.parse.quote(agent, safe='')}"
            mount_inspector(self.app, agents=[Agent(id=agent, url=url)], enabled=True, path=folder)
        return f"{self.origin}{folder}/"

    async def _visit(self, base, agent, then, say):
        """A run that the page stopped by itself, or whose text it had not read before it asked again, as happened on
        busy machines, is no answer: the second visit is."""
        for left in (1, 0):
            visit = await self._visit_once(base, agent, then, say)
            types = {frame.get("type") for frame in visit.frames}
            stopped = visit.outcome.get("kind") == "cancelled" and "RUN_FINISHED" not in types
            unread = "TEXT_MESSAGE_CONTENT" in types and not visit.transcript
            if not left or not (stopped or unread):
                return visit
            print(f"     the page stopped or had not read its run of {agent}: visited again", flush=True)

    async def _visit_once(self, base, agent, then, say):
        async with self.turns:
            page = await self.context.new_page()
            page.set_default_timeout(20_000)
            try:
                await page.goto(self._mount(base, agent))
                await self._say(page, say)
                session = await self._session(page)
                asked = json.loads((await self._next_request(page, then or say_again)).post_data)
                if then:
                    session = await self._session(page)
                return Visit(session, asked)
            finally:
                await page.close()

    async def _next_request(self, page, act):
        """What the page asks next. It draws its panel anew now and then: what was pressed in that moment is pressed again."""
        for last in (False, True):
            try:
                async with page.expect_request(lambda request: request.method == "POST", timeout=30_000) as following:
                    await act(page)
                return await following.value
            except TimedOut:
                if last:
                    raise

    async def _say(self, page, words):
        await page.get_by_placeholder("Message the agent").fill(words)
        await page.get_by_label("Send message").click()

    async def _session(self, page):
        """What the page exports once the run is over: the button that stops a run is off again."""
        await page.wait_for_function("() => document.querySelector('.agui-fr-ex')")
        await page.get_by_role("button", name="Stop", disabled=True).first.wait_for()
        # On a busy machine the page shows the end before it has drawn all that came, and the button is off before a run
        # begins as well. A run without an outcome is over when nothing has come for a while.
        session, still = await self._export(page), 0
        for _ in range(20):
            before, session = session, await self._export(page)
            still = still + 1 if session == before else 0
            if still >= (1 if any("outcome" in run for run in session["runs"][-1:]) else 5):
                break
        return session

    async def _export(self, page):
        async with page.expect_download() as download:
            await page.get_by_role("button", name="Export session").first.click()
            await page.get_by_role("dialog").get_by_role("button", name="Export session").click()
        with open(await (await download.value).path(), encoding="utf-8") as file:
            return json.load(file)["session"]


async def say_again(page, timeout=20_000):
    await page.get_by_placeholder("Message the agent").fill("Hello again", timeout=timeout)
    await page.get_by_label("Send message").click(timeout=timeout)


async def submit_result(page):
    await page.get_by_role("button", name="Submit result").click()


async def resolve(page):
    await page.get_by_role("button", name="Resolve").click()


async def cancel(page):
    await page.get_by_role("button", name="Cancel interrupt").click()
