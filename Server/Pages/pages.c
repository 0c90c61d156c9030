#include "pages.h"

static const unsigned char start_page[] = {
#embed "start.html"
};

static const unsigned char openapi[] = {
#embed "openapi.json"
};

// The repository's Markdown, one page after the other, each with a zero byte at its end. A test compares the names with
// the files.
static const char *const document_names[] = {
    "README.md",
    "fixtures/README.md",
    "fixtures/GALLERY.md",
    "CHANGELOG.md",
    "Server/Pages/web/README.md",
    "Client/Examples/01-Hello/README.md",
    "Client/Examples/02-Standard/README.md",
    "Client/Examples/03-RichContent/README.md",
    "Client/Examples/04-Resilience/README.md",
    "Client/Examples/05-Handoff/README.md",
    "Client/Examples/06-FullReference/README.md",
    "Client/Examples/07-Playground/README.md",
    "Client/Examples/08-OwnBackend/README.md",
    "Client/Examples/09-Contact/README.md",
    "Client/Examples/10-Runs/README.md",
    "Client/Examples/Exyte/README.md",
    "Client/Examples/README.md",
    "Client/PolyMessaging/Docs/GettingStarted.md",
    "Client/PolyMessaging/Docs/Migration.md",
    "Client/PolyMessaging/Docs/Testing.md",
    "Shared/Docs/agent-runs.md",
    "Shared/Docs/architecture.md",
    "Shared/Docs/connect.md",
    "Shared/Docs/contributing.md",
    "Shared/Docs/decisions/0001-one-loop.md",
    "Shared/Docs/decisions/0002-json5-with-our-own-reader.md",
    "Shared/Docs/decisions/0003-files-inside-the-binary.md",
    "Shared/Docs/decisions/0004-locked-in-clocks.md",
    "Shared/Docs/decisions/0005-epoll-as-a-system-module.md",
    "Shared/Docs/decisions/0006-a-kit-that-knows-both-sides.md",
    "Shared/Docs/decisions/0007-zlib-when-it-is-there.md",
    "Shared/Docs/decisions/0008-a-busy-loop-stays.md",
    "Shared/Docs/decisions/0009-time-limits-catch-hangs.md",
    "Shared/Docs/decisions/0010-histories-are-encoded-anew.md",
    "Shared/Docs/decisions/0011-a-length-of-time-of-our-own.md",
    "Shared/Docs/decisions/0012-whole-replies-for-sdks-that-join-with-blanks.md",
    "Shared/Docs/decisions/0013-one-line-beside-the-published-sdk.md",
    "Shared/Docs/decisions/0014-one-linear-regular-expression.md",
    "Shared/Docs/decisions/0015-a-projection-where-entries-are-no-messages.md",
    "Shared/Docs/decisions/0016-closures-of-apps-are-carried-unchecked.md",
    "Shared/Docs/decisions/0017-what-the-pages-weigh.md",
    "Shared/Docs/decisions/0018-one-driver-for-the-machines-of-clients.md",
    "Shared/Docs/decisions/0019-the-terminal-speaks-of-contacts-as-the-sdk-does.md",
    "Shared/Docs/decisions/0020-words-of-events-where-they-differ.md",
    "Shared/Docs/decisions/0021-values-are-split-where-a-wrong-state-goes.md",
    "Shared/Docs/decisions/0022-a-session-encoder-for-all.md",
    "Shared/Docs/decisions/0023-the-server-without-its-sockets.md",
    "Shared/Docs/decisions/0024-rare-state-in-a-class-that-is-copied.md",
    "Shared/Docs/decisions/0025-sha-256-by-the-processor.md",
    "Shared/Docs/decisions/0026-what-a-message-costs.md",
    "Shared/Docs/decisions/0027-equality-by-a-function.md",
    "Shared/Docs/extensions.md",
    "Shared/Docs/filters.md",
    "Shared/Docs/getting-polymock.md",
    "Shared/Docs/github-actions.md",
    "Shared/Docs/glossary.md",
    "Shared/Docs/limits.md",
    "Shared/Docs/many-machines.md",
    "Shared/Docs/on-a-mac.md",
    "Shared/Docs/packages.md",
    "Shared/Docs/protocol-agui.md",
    "Shared/Docs/protocol-connect.md",
    "Shared/Docs/protocol-rules.md",
    "Shared/Docs/protocol.md",
    "Shared/Docs/replies-from-elsewhere.md",
    "Shared/Docs/security.md",
    "Shared/Docs/testing-expectations.md",
    "Shared/Docs/testing-with-node.md",
    "Shared/Docs/testing-with-python.md",
    "Shared/Docs/testing-with-swift-testing.md",
    "Shared/Docs/testing-with-xctest.md",
    "Shared/Docs/testing-with-xcuitest.md",
};
static const unsigned char documents[] = {
#embed "../../README.md" suffix(, 0,)
#embed "../../fixtures/README.md" suffix(, 0,)
#embed "../../fixtures/GALLERY.md" suffix(, 0,)
#embed "../../CHANGELOG.md" suffix(, 0,)
#embed "../../Server/Pages/web/README.md" suffix(, 0,)
#embed "../../Client/Examples/01-Hello/README.md" suffix(, 0,)
#embed "../../Client/Examples/02-Standard/README.md" suffix(, 0,)
#embed "../../Client/Examples/03-RichContent/README.md" suffix(, 0,)
#embed "../../Client/Examples/04-Resilience/README.md" suffix(, 0,)
#embed "../../Client/Examples/05-Handoff/README.md" suffix(, 0,)
#embed "../../Client/Examples/06-FullReference/README.md" suffix(, 0,)
#embed "../../Client/Examples/07-Playground/README.md" suffix(, 0,)
#embed "../../Client/Examples/08-OwnBackend/README.md" suffix(, 0,)
#embed "../../Client/Examples/09-Contact/README.md" suffix(, 0,)
#embed "../../Client/Examples/10-Runs/README.md" suffix(, 0,)
#embed "../../Client/Examples/Exyte/README.md" suffix(, 0,)
#embed "../../Client/Examples/README.md" suffix(, 0,)
#embed "../../Client/PolyMessaging/Docs/GettingStarted.md" suffix(, 0,)
#embed "../../Client/PolyMessaging/Docs/Migration.md" suffix(, 0,)
#embed "../../Client/PolyMessaging/Docs/Testing.md" suffix(, 0,)
#embed "../../Shared/Docs/agent-runs.md" suffix(, 0,)
#embed "../../Shared/Docs/architecture.md" suffix(, 0,)
#embed "../../Shared/Docs/connect.md" suffix(, 0,)
#embed "../../Shared/Docs/contributing.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0001-one-loop.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0002-json5-with-our-own-reader.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0003-files-inside-the-binary.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0004-locked-in-clocks.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0005-epoll-as-a-system-module.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0006-a-kit-that-knows-both-sides.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0007-zlib-when-it-is-there.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0008-a-busy-loop-stays.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0009-time-limits-catch-hangs.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0010-histories-are-encoded-anew.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0011-a-length-of-time-of-our-own.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0012-whole-replies-for-sdks-that-join-with-blanks.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0013-one-line-beside-the-published-sdk.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0014-one-linear-regular-expression.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0015-a-projection-where-entries-are-no-messages.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0016-closures-of-apps-are-carried-unchecked.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0017-what-the-pages-weigh.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0018-one-driver-for-the-machines-of-clients.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0019-the-terminal-speaks-of-contacts-as-the-sdk-does.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0020-words-of-events-where-they-differ.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0021-values-are-split-where-a-wrong-state-goes.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0022-a-session-encoder-for-all.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0023-the-server-without-its-sockets.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0024-rare-state-in-a-class-that-is-copied.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0025-sha-256-by-the-processor.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0026-what-a-message-costs.md" suffix(, 0,)
#embed "../../Shared/Docs/decisions/0027-equality-by-a-function.md" suffix(, 0,)
#embed "../../Shared/Docs/extensions.md" suffix(, 0,)
#embed "../../Shared/Docs/filters.md" suffix(, 0,)
#embed "../../Shared/Docs/getting-polymock.md" suffix(, 0,)
#embed "../../Shared/Docs/github-actions.md" suffix(, 0,)
#embed "../../Shared/Docs/glossary.md" suffix(, 0,)
#embed "../../Shared/Docs/limits.md" suffix(, 0,)
#embed "../../Shared/Docs/many-machines.md" suffix(, 0,)
#embed "../../Shared/Docs/on-a-mac.md" suffix(, 0,)
#embed "../../Shared/Docs/packages.md" suffix(, 0,)
#embed "../../Shared/Docs/protocol-agui.md" suffix(, 0,)
#embed "../../Shared/Docs/protocol-connect.md" suffix(, 0,)
#embed "../../Shared/Docs/protocol-rules.md" suffix(, 0,)
#embed "../../Shared/Docs/protocol.md" suffix(, 0,)
#embed "../../Shared/Docs/replies-from-elsewhere.md" suffix(, 0,)
#embed "../../Shared/Docs/security.md" suffix(, 0,)
#embed "../../Shared/Docs/testing-expectations.md" suffix(, 0,)
#embed "../../Shared/Docs/testing-with-node.md" suffix(, 0,)
#embed "../../Shared/Docs/testing-with-python.md" suffix(, 0,)
#embed "../../Shared/Docs/testing-with-swift-testing.md" suffix(, 0,)
#embed "../../Shared/Docs/testing-with-xctest.md" suffix(, 0,)
#embed "../../Shared/Docs/testing-with-xcuitest.md" suffix(, 0,)
};

const size_t polymock_document_count = sizeof document_names / sizeof *document_names;

const char *polymock_document_name(size_t number) {
    return document_names[number];
}

const size_t polymock_documents_length = sizeof documents;

const unsigned char *polymock_documents(void) {
    return documents;
}

const size_t polymock_start_page_length = sizeof start_page;

const unsigned char *polymock_start_page_bytes(void) {
    return start_page;
}

const size_t polymock_openapi_length = sizeof openapi;

const unsigned char *polymock_openapi_bytes(void) {
    return openapi;
}

// The files of the pages, by their path below web/. A test compares the list with the folder.

static const unsigned char chat_changes_css[] = {
#embed "web/chat/changes.css"
};
static const unsigned char chat_changes_js[] = {
#embed "web/chat/changes.js"
};
static const unsigned char chat_chat_css[] = {
#embed "web/chat/chat.css"
};
static const unsigned char chat_chat_html[] = {
#embed "web/chat/chat.html"
};
static const unsigned char chat_chat_js[] = {
#embed "web/chat/chat.js"
};
static const unsigned char chat_composer_js[] = {
#embed "web/chat/composer.js"
};
static const unsigned char chat_debug_js[] = {
#embed "web/chat/debug.js"
};
static const unsigned char chat_extras_css[] = {
#embed "web/chat/extras.css"
};
static const unsigned char chat_extras_js[] = {
#embed "web/chat/extras.js"
};
static const unsigned char chat_proto_js[] = {
#embed "web/chat/proto.js"
};
static const unsigned char chat_runs_js[] = {
#embed "web/chat/runs.js"
};
static const unsigned char chat_scroll_js[] = {
#embed "web/chat/scroll.js"
};
static const unsigned char chat_widget_js[] = {
#embed "web/chat/widget.js"
};
static const unsigned char docs_docs_css[] = {
#embed "web/docs/docs.css"
};
static const unsigned char docs_docs_html[] = {
#embed "web/docs/docs.html"
};
static const unsigned char docs_docs_js[] = {
#embed "web/docs/docs.js"
};
static const unsigned char docs_library_js[] = {
#embed "web/docs/library.js"
};
static const unsigned char docs_markdown_js[] = {
#embed "web/docs/markdown.js"
};
static const unsigned char inspect_app_js[] = {
#embed "web/inspect/app.js"
};
static const unsigned char inspect_cause_js[] = {
#embed "web/inspect/cause.js"
};
static const unsigned char inspect_takeover_js[] = {
#embed "web/inspect/takeover.js"
};
static const unsigned char inspect_clock_js[] = {
#embed "web/inspect/clock.js"
};
static const unsigned char inspect_copy_js[] = {
#embed "web/inspect/copy.js"
};
static const unsigned char inspect_detail_js[] = {
#embed "web/inspect/detail.js"
};
static const unsigned char inspect_drafts_js[] = {
#embed "web/inspect/drafts.js"
};
static const unsigned char inspect_editor_js[] = {
#embed "web/inspect/editor.js"
};
static const unsigned char inspect_fixtures_js[] = {
#embed "web/inspect/fixtures.js"
};
static const unsigned char inspect_inspect_css[] = {
#embed "web/inspect/inspect.css"
};
static const unsigned char inspect_inspect_html[] = {
#embed "web/inspect/inspect.html"
};
static const unsigned char inspect_inspect_js[] = {
#embed "web/inspect/inspect.js"
};
static const unsigned char inspect_violations_js[] = {
#embed "web/inspect/violations.js"
};
static const unsigned char inspect_log_js[] = {
#embed "web/inspect/log.js"
};
static const unsigned char inspect_metrics_js[] = {
#embed "web/inspect/metrics.js"
};
static const unsigned char inspect_runs_css[] = {
#embed "web/inspect/runs.css"
};
static const unsigned char inspect_runs_js[] = {
#embed "web/inspect/runs.js"
};
static const unsigned char inspect_runtree_js[] = {
#embed "web/inspect/runtree.js"
};
static const unsigned char inspect_serverlog_js[] = {
#embed "web/inspect/serverlog.js"
};
static const unsigned char inspect_sessions_js[] = {
#embed "web/inspect/sessions.js"
};
static const unsigned char inspect_source_js[] = {
#embed "web/inspect/source.js"
};
static const unsigned char inspect_state_js[] = {
#embed "web/inspect/state.js"
};
static const unsigned char inspect_table_js[] = {
#embed "web/inspect/table.js"
};
static const unsigned char inspect_talk_js[] = {
#embed "web/inspect/talk.js"
};
static const unsigned char inspect_transfer_js[] = {
#embed "web/inspect/transfer.js"
};
static const unsigned char inspect_faults_js[] = {
#embed "web/inspect/faults.js"
};
static const unsigned char inspect_ui_js[] = {
#embed "web/inspect/ui.js"
};
static const unsigned char inspect_unmatched_js[] = {
#embed "web/inspect/unmatched.js"
};
static const unsigned char inspect_wire_js[] = {
#embed "web/inspect/wire.js"
};
static const unsigned char inspect_words_js[] = {
#embed "web/inspect/words.js"
};
static const unsigned char shared_dom_js[] = {
#embed "web/shared/dom.js"
};
static const unsigned char shared_i18n_js[] = {
#embed "web/shared/i18n.js"
};
static const unsigned char shared_mark_svg[] = {
#embed "web/shared/mark.svg"
};
static const unsigned char shared_md_js[] = {
#embed "web/shared/md.js"
};
static const unsigned char shared_rows_css[] = {
#embed "web/shared/rows.css"
};
static const unsigned char shared_rows_js[] = {
#embed "web/shared/rows.js"
};
static const unsigned char shared_speech_js[] = {
#embed "web/shared/speech.js"
};
static const unsigned char shared_store_js[] = {
#embed "web/shared/store.js"
};
static const unsigned char shared_strings_ar_json[] = {
#embed "web/shared/strings/ar.json"
};
static const unsigned char shared_strings_de_json[] = {
#embed "web/shared/strings/de.json"
};
static const unsigned char shared_strings_en_gb_json[] = {
#embed "web/shared/strings/en-GB.json"
};
static const unsigned char shared_strings_en_json[] = {
#embed "web/shared/strings/en.json"
};
static const unsigned char shared_strings_es_json[] = {
#embed "web/shared/strings/es.json"
};
static const unsigned char shared_strings_fr_ca_json[] = {
#embed "web/shared/strings/fr-CA.json"
};
static const unsigned char shared_strings_he_json[] = {
#embed "web/shared/strings/he.json"
};
static const unsigned char shared_tokens_css[] = {
#embed "web/shared/tokens.css"
};

#define FILE_OF(path, name) { path, name, sizeof name }

static const struct polymock_file files[] = {
    FILE_OF("chat/changes.css", chat_changes_css),
    FILE_OF("chat/changes.js", chat_changes_js),
    FILE_OF("chat/chat.css", chat_chat_css),
    FILE_OF("chat/chat.html", chat_chat_html),
    FILE_OF("chat/chat.js", chat_chat_js),
    FILE_OF("chat/composer.js", chat_composer_js),
    FILE_OF("chat/debug.js", chat_debug_js),
    FILE_OF("chat/extras.css", chat_extras_css),
    FILE_OF("chat/extras.js", chat_extras_js),
    FILE_OF("chat/proto.js", chat_proto_js),
    FILE_OF("chat/runs.js", chat_runs_js),
    FILE_OF("chat/scroll.js", chat_scroll_js),
    FILE_OF("chat/widget.js", chat_widget_js),
    FILE_OF("docs/docs.css", docs_docs_css),
    FILE_OF("docs/docs.html", docs_docs_html),
    FILE_OF("docs/docs.js", docs_docs_js),
    FILE_OF("docs/library.js", docs_library_js),
    FILE_OF("docs/markdown.js", docs_markdown_js),
    FILE_OF("inspect/app.js", inspect_app_js),
    FILE_OF("inspect/cause.js", inspect_cause_js),
    FILE_OF("inspect/takeover.js", inspect_takeover_js),
    FILE_OF("inspect/clock.js", inspect_clock_js),
    FILE_OF("inspect/copy.js", inspect_copy_js),
    FILE_OF("inspect/detail.js", inspect_detail_js),
    FILE_OF("inspect/drafts.js", inspect_drafts_js),
    FILE_OF("inspect/editor.js", inspect_editor_js),
    FILE_OF("inspect/fixtures.js", inspect_fixtures_js),
    FILE_OF("inspect/inspect.css", inspect_inspect_css),
    FILE_OF("inspect/inspect.html", inspect_inspect_html),
    FILE_OF("inspect/inspect.js", inspect_inspect_js),
    FILE_OF("inspect/violations.js", inspect_violations_js),
    FILE_OF("inspect/log.js", inspect_log_js),
    FILE_OF("inspect/metrics.js", inspect_metrics_js),
    FILE_OF("inspect/runs.css", inspect_runs_css),
    FILE_OF("inspect/runs.js", inspect_runs_js),
    FILE_OF("inspect/runtree.js", inspect_runtree_js),
    FILE_OF("inspect/serverlog.js", inspect_serverlog_js),
    FILE_OF("inspect/sessions.js", inspect_sessions_js),
    FILE_OF("inspect/source.js", inspect_source_js),
    FILE_OF("inspect/state.js", inspect_state_js),
    FILE_OF("inspect/table.js", inspect_table_js),
    FILE_OF("inspect/talk.js", inspect_talk_js),
    FILE_OF("inspect/transfer.js", inspect_transfer_js),
    FILE_OF("inspect/faults.js", inspect_faults_js),
    FILE_OF("inspect/ui.js", inspect_ui_js),
    FILE_OF("inspect/unmatched.js", inspect_unmatched_js),
    FILE_OF("inspect/wire.js", inspect_wire_js),
    FILE_OF("inspect/words.js", inspect_words_js),
    FILE_OF("shared/dom.js", shared_dom_js),
    FILE_OF("shared/i18n.js", shared_i18n_js),
    FILE_OF("shared/mark.svg", shared_mark_svg),
    FILE_OF("shared/md.js", shared_md_js),
    FILE_OF("shared/rows.css", shared_rows_css),
    FILE_OF("shared/rows.js", shared_rows_js),
    FILE_OF("shared/speech.js", shared_speech_js),
    FILE_OF("shared/store.js", shared_store_js),
    FILE_OF("shared/strings/ar.json", shared_strings_ar_json),
    FILE_OF("shared/strings/de.json", shared_strings_de_json),
    FILE_OF("shared/strings/en-GB.json", shared_strings_en_gb_json),
    FILE_OF("shared/strings/en.json", shared_strings_en_json),
    FILE_OF("shared/strings/es.json", shared_strings_es_json),
    FILE_OF("shared/strings/fr-CA.json", shared_strings_fr_ca_json),
    FILE_OF("shared/strings/he.json", shared_strings_he_json),
    FILE_OF("shared/tokens.css", shared_tokens_css),
};

const size_t polymock_file_count = sizeof files / sizeof files[0];

const struct polymock_file *polymock_files(void) {
    return files;
}
