#include "pages.h"

static const unsigned char start_page[] = {
#embed "start.html"
};

static const unsigned char openapi[] = {
#embed "openapi.json"
};

static const unsigned char protocol[] = {
#embed "../../Shared/Docs/protocol.md"
};
static const unsigned char protocol_connect[] = {
#embed "../../Shared/Docs/protocol-connect.md"
};
static const unsigned char protocol_agui[] = {
#embed "../../Shared/Docs/protocol-agui.md"
};

static const struct polymock_file protocols[] = {
    {"protocol.md", protocol, sizeof protocol},
    {"protocol-connect.md", protocol_connect, sizeof protocol_connect},
    {"protocol-agui.md", protocol_agui, sizeof protocol_agui},
};

const size_t polymock_protocol_count = sizeof protocols / sizeof *protocols;

const struct polymock_file *polymock_protocols(void) {
    return protocols;
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
