"""What a client has of each example when its run is over: its messages, one line each, and its state, if any.

Messages that the user wrote are left out. These are golden values: the TypeScript client 1.0.1 made them of the
example files themselves.
"""

TRANSCRIPTS = {
    "01-text-only": [
        'assistant m-1 Yes, from 10:00 to 16:00.',
    ],
    "02-backend-tool": [
        'assistant m-1 [get_weather {"city":"Leeds","unit":"C"}]',
        'tool t-1 {"tempC":11,"sky":"overcast"}',
        'assistant m-2 It is 11 °C and overcast in Leeds.',
    ],
    "03-sequential-tools": [
        'assistant m-1 [find_customer {"phone":"+441130000000"}]',
        'tool t-1 {"customerId":"c-88"}',
        'assistant m-2 [list_bookings {"customerId":"c-88"}]',
        'tool t-2 [{"id":"b-1","date":"2026-12-01"}]',
        'assistant m-3 You have one booking, on 1 December.',
    ],
    "04-parallel-tools": [
        'assistant m-1 [get_price {"sku":"K-7"}; get_stock {"sku":"K-7","store":"north"}]',
        'tool t-b {"units":3}',
        'tool t-a {"gbp":"24.00"}',
        'assistant m-2 K-7 costs £24.00; three are left at North.',
    ],
    "05-text-and-tool-interleaved": [
        'assistant m-1 [lookup_order {"order":"O-19"}] Let me check your order.',
        'tool t-1 {"status":"shipped"}',
        'assistant m-2 It has shipped.',
    ],
    "06-reasoning": [
        'reasoning r-1 The caller wants a refund; the order is inside the window.',
        'assistant m-1 You can still return it.',
    ],
    "07-steps-and-state": [
        'assistant m-1 Your plan has one item.',
    ],
    "08-activity": [
        'activity act-1 {"query": "plumbers", "found": 2, "rows": ["A1 Plumbing"]}',
        'assistant m-1 I found two plumbers.',
    ],
    "09-tool-failure": [
        'assistant m-1 [charge_card {"amount":1200}]',
        'tool t-1 {"error":{"code":"card_declined","message":"The card was declined."}}',
        'assistant m-2 The card was declined. Do you have another one?',
    ],
    "10-run-error": [
        'assistant m-1 [lookup_order {"ord] One moment',
    ],
    "11-run-error-first": [
    ],
    "12a-frontend-tool": [
        'assistant m-1 [pick_date {"min":"2026-12-01"}] Which day suits you?',
    ],
    "12b-frontend-tool": [
        'assistant m-2 You are booked for 4 December.',
    ],
    "12c-frontend-tool-declined": [
        'assistant m-2 No problem, we can do it later.',
    ],
    "13a-interrupt": [
        'assistant m-1 [issue_refund {"order":"O-19","gbp":"24.00"}]',
    ],
    "13b-resume": [
        'tool t-1 {"refundId":"rf-5"}',
        'assistant m-2 The refund is on its way.',
    ],
    "13c-resume-cancelled": [
        'tool t-1 {"error":{"code":"not_approved"}}',
        'assistant m-2 I have not refunded it.',
    ],
    "14-chunks": [
        'reasoning r-1 Look it up, then answer.',
        'assistant m-1 [get_hours {"day":"Sun"}]',
        'tool t-1 {"open":"10:00","close":"16:00"}',
        'assistant m-2 Sunday: 10 to 4.',
    ],
    "15-replay-snapshot": [
        'assistant m-1 [get_weather {"city":"Leeds"}]',
        'tool t-1 {"tempC":11}',
        'assistant m-2 It is 11 °C.',
    ],
    "16-custom-and-raw": [
        'assistant m-1 Here are two options.',
    ],
    "17-metadata-and-usage": [
        'assistant m-1 Done.',
    ],
    "18-two-runs": [
        'assistant m-1 First.',
        'assistant m-2 Second.',
    ],
    "19-unicode": [
        'assistant m-1 Café 👩\u200d🚒 – ¿qué?\nline "two" \\ tab\t',
    ],
    "20-timestamps-and-input-echo": [
        'assistant m-1 Hello!',
    ],
    "v1-01-declared-version": [
        'assistant m-1 Hello.',
    ],
    "v1-02-pending-frontend-calls": [
        'assistant m-1 [pick_date {"min":"2026-12-01"}]',
    ],
    "v1-03-cancelled": [
        'assistant m-1 I was about to',
    ],
    "v1-04-tool-result-parts": [
        'assistant m-1 [get_invoice {"id":"INV-2"}]',
        'tool t-1 [{"type": "text", "text": "Invoice INV-2"}, {"type": "document", "source": {"type": "url", "value": "https://example.test/INV-2.pdf", "mimeType": "application/pdf"}, "metadata": {"title": "INV-2"}}]',
        'assistant m-2 Your invoice is attached.',
    ],
    "v1-05-subagent": [
        'assistant m-s1 Found them.',
        'assistant m-1 Open 10 to 4.',
    ],
}

STATES = {
    '07-steps-and-state': {'plan': {'items': [{'title': 'Book van'}], 'status': 'ready'}},
    '13a-interrupt': {'refund': {'order': 'O-19', 'status': 'awaiting_approval'}},
    '15-replay-snapshot': {'lastCity': 'Leeds'},
}
