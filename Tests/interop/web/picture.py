"""Makes the picture of the README: both pages side by side, with a talk, its replies, a quote, a reaction, an edit and the frames.

    ~/.cache/polymock-web/bin/python Tests/interop/web/picture.py BINARY [--pages FOLDER] [--to FILE]

Run by hand when the pages look different; run.sh installs what it needs. The picture is Shared/Docs/pages.png.
"""

import argparse
import pathlib

import rig
from playwright.sync_api import expect

ROOT = pathlib.Path(__file__).resolve().parents[3]
MOST = 150_000


def main():
    parser = argparse.ArgumentParser(prog="picture.py")
    parser.add_argument("binary")
    parser.add_argument("--pages", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path, default=ROOT / "Shared/Docs/pages.png")
    options = parser.parse_args()
    flags = ["--fixture", "booking", *(["--pages", str(options.pages.resolve())] if options.pages else [])]
    expect.set_options(timeout=30_000)
    with rig.Rig(options.binary, options.to.parent, flags) as tools:
        page = tools.browser.new_context(
            locale="en-GB", timezone_id="UTC", color_scheme="light", reduced_motion="reduce", viewport={"width": 1520, "height": 620}).new_page()
        page.goto(tools.server.base + "/inspect")
        page.get_by_role("button", name="Side chat").click()
        chat = page.frame_locator("iframe[title='Chat page']")
        expect(chat.get_by_role("article")).to_have_count(1)
        page.frames[-1].goto(tools.server.base + "/chat?start=new&motion=off&extensions=changes,receipts,files")

        def choose(article, action):
            article.focus()
            page.keyboard.press("Shift+F10")
            chat.get_by_role("menuitem", name=action, exact=True).click()

        def said(text):
            return chat.get_by_role("article").filter(has_text=text).first

        for text, answer in (("A table for tonight, please", "people"), ("Four of us", "day")):
            chat.get_by_role("textbox", name="Message").fill(text)
            chat.get_by_role("textbox", name="Message").press("Enter")
            expect(chat.get_by_role("article").last).to_contain_text(answer)
            if answer == "people":
                choose(said(answer), "React ❤️")
                choose(said(answer), "Reply")
        choose(said("Four of us"), "Edit")
        chat.get_by_role("dialog").get_by_role("textbox").fill("Four of us, by the window")
        chat.get_by_role("dialog").get_by_role("button", name="Edit").click()
        expect(said("by the window")).to_contain_text("Edited")
        session = tools.server.get("sessions")["sessions"][-1]["id"]
        page.goto(f"{tools.server.base}/inspect#/sessions/{session}/wire")
        expect(page.get_by_role("table", name="Wire timeline").get_by_role("row").filter(has_text="EXT_MESSAGE_CHANGED").last).to_be_visible()
        page.mouse.move(0, 0)
        page.wait_for_timeout(500)
        page.screenshot(path=str(options.to))
    size = options.to.stat().st_size
    print(f"{options.to}: {size} bytes")
    if size > MOST:
        raise SystemExit(f"it may have {MOST} bytes")


main()
