#include "embedded_fixtures.h"

// Recorded runs: three lines here and one in the table below for each file.
static const unsigned char run_01_text_only[] = {
#embed "../../Tests/Data/ag-ui/01-text-only.jsonl"
};
static const unsigned char run_02_backend_tool[] = {
#embed "../../Tests/Data/ag-ui/02-backend-tool.jsonl"
};
static const unsigned char run_03_sequential_tools[] = {
#embed "../../Tests/Data/ag-ui/03-sequential-tools.jsonl"
};
static const unsigned char run_04_parallel_tools[] = {
#embed "../../Tests/Data/ag-ui/04-parallel-tools.jsonl"
};
static const unsigned char run_05_text_and_tool_interleaved[] = {
#embed "../../Tests/Data/ag-ui/05-text-and-tool-interleaved.jsonl"
};
static const unsigned char run_06_reasoning[] = {
#embed "../../Tests/Data/ag-ui/06-reasoning.jsonl"
};
static const unsigned char run_07_steps_and_state[] = {
#embed "../../Tests/Data/ag-ui/07-steps-and-state.jsonl"
};
static const unsigned char run_08_activity[] = {
#embed "../../Tests/Data/ag-ui/08-activity.jsonl"
};
static const unsigned char run_09_tool_failure[] = {
#embed "../../Tests/Data/ag-ui/09-tool-failure.jsonl"
};
static const unsigned char run_10_run_error[] = {
#embed "../../Tests/Data/ag-ui/10-run-error.jsonl"
};
static const unsigned char run_11_run_error_first[] = {
#embed "../../Tests/Data/ag-ui/11-run-error-first.jsonl"
};
static const unsigned char run_12a_frontend_tool[] = {
#embed "../../Tests/Data/ag-ui/12a-frontend-tool.jsonl"
};
static const unsigned char run_12b_frontend_tool[] = {
#embed "../../Tests/Data/ag-ui/12b-frontend-tool.jsonl"
};
static const unsigned char run_12c_frontend_tool_declined[] = {
#embed "../../Tests/Data/ag-ui/12c-frontend-tool-declined.jsonl"
};
static const unsigned char run_13a_interrupt[] = {
#embed "../../Tests/Data/ag-ui/13a-interrupt.jsonl"
};
static const unsigned char run_13b_resume[] = {
#embed "../../Tests/Data/ag-ui/13b-resume.jsonl"
};
static const unsigned char run_13c_resume_cancelled[] = {
#embed "../../Tests/Data/ag-ui/13c-resume-cancelled.jsonl"
};
static const unsigned char run_14_chunks[] = {
#embed "../../Tests/Data/ag-ui/14-chunks.jsonl"
};
static const unsigned char run_15_replay_snapshot[] = {
#embed "../../Tests/Data/ag-ui/15-replay-snapshot.jsonl"
};
static const unsigned char run_16_custom_and_raw[] = {
#embed "../../Tests/Data/ag-ui/16-custom-and-raw.jsonl"
};
static const unsigned char run_17_metadata_and_usage[] = {
#embed "../../Tests/Data/ag-ui/17-metadata-and-usage.jsonl"
};
static const unsigned char run_18_two_runs[] = {
#embed "../../Tests/Data/ag-ui/18-two-runs.jsonl"
};
static const unsigned char run_19_unicode[] = {
#embed "../../Tests/Data/ag-ui/19-unicode.jsonl"
};
static const unsigned char run_20_timestamps_and_input_echo[] = {
#embed "../../Tests/Data/ag-ui/20-timestamps-and-input-echo.jsonl"
};
static const unsigned char run_invalid_01_first_event_not_run_started[] = {
#embed "../../Tests/Data/ag-ui/invalid-01-first-event-not-run-started.jsonl"
};
static const unsigned char run_invalid_02_content_without_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-02-content-without-start.jsonl"
};
static const unsigned char run_invalid_03_end_without_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-03-end-without-start.jsonl"
};
static const unsigned char run_invalid_04_duplicate_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-04-duplicate-start.jsonl"
};
static const unsigned char run_invalid_05_message_open_at_finish[] = {
#embed "../../Tests/Data/ag-ui/invalid-05-message-open-at-finish.jsonl"
};
static const unsigned char run_invalid_06_args_without_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-06-args-without-start.jsonl"
};
static const unsigned char run_invalid_07_tool_end_without_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-07-tool-end-without-start.jsonl"
};
static const unsigned char run_invalid_08_duplicate_tool_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-08-duplicate-tool-start.jsonl"
};
static const unsigned char run_invalid_09_tool_open_at_finish[] = {
#embed "../../Tests/Data/ag-ui/invalid-09-tool-open-at-finish.jsonl"
};
static const unsigned char run_invalid_10_step_not_finished[] = {
#embed "../../Tests/Data/ag-ui/invalid-10-step-not-finished.jsonl"
};
static const unsigned char run_invalid_11_step_finish_without_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-11-step-finish-without-start.jsonl"
};
static const unsigned char run_invalid_12_duplicate_step[] = {
#embed "../../Tests/Data/ag-ui/invalid-12-duplicate-step.jsonl"
};
static const unsigned char run_invalid_13_nested_run_started[] = {
#embed "../../Tests/Data/ag-ui/invalid-13-nested-run-started.jsonl"
};
static const unsigned char run_invalid_14_event_after_finish[] = {
#embed "../../Tests/Data/ag-ui/invalid-14-event-after-finish.jsonl"
};
static const unsigned char run_invalid_15_event_after_error[] = {
#embed "../../Tests/Data/ag-ui/invalid-15-event-after-error.jsonl"
};
static const unsigned char run_invalid_16_first_chunk_without_id[] = {
#embed "../../Tests/Data/ag-ui/invalid-16-first-chunk-without-id.jsonl"
};
static const unsigned char run_invalid_17_first_tool_chunk_without_name[] = {
#embed "../../Tests/Data/ag-ui/invalid-17-first-tool-chunk-without-name.jsonl"
};
static const unsigned char run_invalid_18_truncated[] = {
#embed "../../Tests/Data/ag-ui/invalid-18-truncated.jsonl"
};
static const unsigned char run_invalid_19_finish_names_another_run[] = {
#embed "../../Tests/Data/ag-ui/invalid-19-finish-names-another-run.jsonl"
};
static const unsigned char run_invalid_20_reasoning_content_without_start[] = {
#embed "../../Tests/Data/ag-ui/invalid-20-reasoning-content-without-start.jsonl"
};
static const unsigned char run_invalid_21_reasoning_open_at_finish[] = {
#embed "../../Tests/Data/ag-ui/invalid-21-reasoning-open-at-finish.jsonl"
};
static const unsigned char run_legacy_01_thinking[] = {
#embed "../../Tests/Data/ag-ui/legacy-01-thinking.jsonl"
};
static const unsigned char run_v1_01_declared_version[] = {
#embed "../../Tests/Data/ag-ui/v1-01-declared-version.jsonl"
};
static const unsigned char run_v1_02_pending_frontend_calls[] = {
#embed "../../Tests/Data/ag-ui/v1-02-pending-frontend-calls.jsonl"
};
static const unsigned char run_v1_03_cancelled[] = {
#embed "../../Tests/Data/ag-ui/v1-03-cancelled.jsonl"
};
static const unsigned char run_v1_04_tool_result_parts[] = {
#embed "../../Tests/Data/ag-ui/v1-04-tool-result-parts.jsonl"
};
static const unsigned char run_v1_05_subagent[] = {
#embed "../../Tests/Data/ag-ui/v1-05-subagent.jsonl"
};

static const PolymockEmbeddedFixture runs[] = {
    {"01-text-only", run_01_text_only, sizeof run_01_text_only},
    {"02-backend-tool", run_02_backend_tool, sizeof run_02_backend_tool},
    {"03-sequential-tools", run_03_sequential_tools, sizeof run_03_sequential_tools},
    {"04-parallel-tools", run_04_parallel_tools, sizeof run_04_parallel_tools},
    {"05-text-and-tool-interleaved", run_05_text_and_tool_interleaved, sizeof run_05_text_and_tool_interleaved},
    {"06-reasoning", run_06_reasoning, sizeof run_06_reasoning},
    {"07-steps-and-state", run_07_steps_and_state, sizeof run_07_steps_and_state},
    {"08-activity", run_08_activity, sizeof run_08_activity},
    {"09-tool-failure", run_09_tool_failure, sizeof run_09_tool_failure},
    {"10-run-error", run_10_run_error, sizeof run_10_run_error},
    {"11-run-error-first", run_11_run_error_first, sizeof run_11_run_error_first},
    {"12a-frontend-tool", run_12a_frontend_tool, sizeof run_12a_frontend_tool},
    {"12b-frontend-tool", run_12b_frontend_tool, sizeof run_12b_frontend_tool},
    {"12c-frontend-tool-declined", run_12c_frontend_tool_declined, sizeof run_12c_frontend_tool_declined},
    {"13a-interrupt", run_13a_interrupt, sizeof run_13a_interrupt},
    {"13b-resume", run_13b_resume, sizeof run_13b_resume},
    {"13c-resume-cancelled", run_13c_resume_cancelled, sizeof run_13c_resume_cancelled},
    {"14-chunks", run_14_chunks, sizeof run_14_chunks},
    {"15-replay-snapshot", run_15_replay_snapshot, sizeof run_15_replay_snapshot},
    {"16-custom-and-raw", run_16_custom_and_raw, sizeof run_16_custom_and_raw},
    {"17-metadata-and-usage", run_17_metadata_and_usage, sizeof run_17_metadata_and_usage},
    {"18-two-runs", run_18_two_runs, sizeof run_18_two_runs},
    {"19-unicode", run_19_unicode, sizeof run_19_unicode},
    {"20-timestamps-and-input-echo", run_20_timestamps_and_input_echo, sizeof run_20_timestamps_and_input_echo},
    {"invalid-01-first-event-not-run-started", run_invalid_01_first_event_not_run_started, sizeof run_invalid_01_first_event_not_run_started},
    {"invalid-02-content-without-start", run_invalid_02_content_without_start, sizeof run_invalid_02_content_without_start},
    {"invalid-03-end-without-start", run_invalid_03_end_without_start, sizeof run_invalid_03_end_without_start},
    {"invalid-04-duplicate-start", run_invalid_04_duplicate_start, sizeof run_invalid_04_duplicate_start},
    {"invalid-05-message-open-at-finish", run_invalid_05_message_open_at_finish, sizeof run_invalid_05_message_open_at_finish},
    {"invalid-06-args-without-start", run_invalid_06_args_without_start, sizeof run_invalid_06_args_without_start},
    {"invalid-07-tool-end-without-start", run_invalid_07_tool_end_without_start, sizeof run_invalid_07_tool_end_without_start},
    {"invalid-08-duplicate-tool-start", run_invalid_08_duplicate_tool_start, sizeof run_invalid_08_duplicate_tool_start},
    {"invalid-09-tool-open-at-finish", run_invalid_09_tool_open_at_finish, sizeof run_invalid_09_tool_open_at_finish},
    {"invalid-10-step-not-finished", run_invalid_10_step_not_finished, sizeof run_invalid_10_step_not_finished},
    {"invalid-11-step-finish-without-start", run_invalid_11_step_finish_without_start, sizeof run_invalid_11_step_finish_without_start},
    {"invalid-12-duplicate-step", run_invalid_12_duplicate_step, sizeof run_invalid_12_duplicate_step},
    {"invalid-13-nested-run-started", run_invalid_13_nested_run_started, sizeof run_invalid_13_nested_run_started},
    {"invalid-14-event-after-finish", run_invalid_14_event_after_finish, sizeof run_invalid_14_event_after_finish},
    {"invalid-15-event-after-error", run_invalid_15_event_after_error, sizeof run_invalid_15_event_after_error},
    {"invalid-16-first-chunk-without-id", run_invalid_16_first_chunk_without_id, sizeof run_invalid_16_first_chunk_without_id},
    {"invalid-17-first-tool-chunk-without-name", run_invalid_17_first_tool_chunk_without_name, sizeof run_invalid_17_first_tool_chunk_without_name},
    {"invalid-18-truncated", run_invalid_18_truncated, sizeof run_invalid_18_truncated},
    {"invalid-19-finish-names-another-run", run_invalid_19_finish_names_another_run, sizeof run_invalid_19_finish_names_another_run},
    {"invalid-20-reasoning-content-without-start", run_invalid_20_reasoning_content_without_start, sizeof run_invalid_20_reasoning_content_without_start},
    {"invalid-21-reasoning-open-at-finish", run_invalid_21_reasoning_open_at_finish, sizeof run_invalid_21_reasoning_open_at_finish},
    {"legacy-01-thinking", run_legacy_01_thinking, sizeof run_legacy_01_thinking},
    {"v1-01-declared-version", run_v1_01_declared_version, sizeof run_v1_01_declared_version},
    {"v1-02-pending-frontend-calls", run_v1_02_pending_frontend_calls, sizeof run_v1_02_pending_frontend_calls},
    {"v1-03-cancelled", run_v1_03_cancelled, sizeof run_v1_03_cancelled},
    {"v1-04-tool-result-parts", run_v1_04_tool_result_parts, sizeof run_v1_04_tool_result_parts},
    {"v1-05-subagent", run_v1_05_subagent, sizeof run_v1_05_subagent},
};

static const unsigned char nothing[1];

size_t polymock_embedded_run_count(void) {
    return sizeof runs / sizeof runs[0];
}

PolymockEmbeddedFixture polymock_embedded_run(size_t number) {
    if (number < polymock_embedded_run_count()) return runs[number];
    PolymockEmbeddedFixture none = {"", nothing, 0};
    return none;
}
