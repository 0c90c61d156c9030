// What a browser library for this service puts on the wire, call by call: its headers, its frames, its heartbeats, and
// how it comes back. Written from the public wire format; tests drive it from a page of another origin.

const CHAT = ['WEBSOCKET', 'CONNECTION_CREDENTIALS'];
const EVENT = 'application/vnd.amazonaws.connect.event.';

/** A call of the participant service, with the header list of a signed browser request. */
export async function call(endpoint, path, bearer, body, method = 'POST') {
    const headers = {
        'authorization': 'AWS4-HMAC-SHA256 Credential=/20260115/eu-west-2/execute-api/aws4_request, SignedHeaders=host, Signature=0',
        'content-type': 'application/json',
        'x-amz-bearer': bearer,
        'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
        'x-amz-date': '20260115T093000Z',
        'x-amz-user-agent': 'aws-sdk-js/3.0 ua/2.0',
    };
    const answer = await fetch(endpoint + path, { method, headers, body: method === 'GET' ? undefined : JSON.stringify(body) });
    const value = await answer.json();
    return { status: answer.status, type: answer.headers.get('x-amzn-ErrorType'), id: answer.headers.get('x-amzn-RequestId'), value };
}

/** A customer's chat: one socket that it keeps, and the items that came, each text as a page shows it. */
export class Session {
    constructor(endpoint, token, heartbeat = 10_000) {
        Object.assign(this, { endpoint, token, heartbeat, sockets: [], items: [], shown: [], log: [], parts: new Map(), state: 'new' });
    }

    ask(path, body) { return call(this.endpoint, '/participant/' + path, this.bearer, body); }

    async connect() {
        const got = await call(this.endpoint, '/participant/connection', this.token, { Type: CHAT });
        if (got.status !== 200) {
            this.log.push(`refused ${got.status} ${got.type}`);
            // While the connection is lost this says that the chat has ended meanwhile.
            this.end(got.status === 403 && this.state === 'lost' ? 'ended' : 'broken');
            return;
        }
        const { Websocket, ConnectionCredentials } = got.value;
        for (const each of [Websocket.ConnectionExpiry, ConnectionCredentials.Expiry]) {
            const left = Date.parse(each) - Date.now();
            if (!(left > 60_000 && left < 2 ** 31)) throw new Error(`an expiry of ${each}`);
        }
        if (!/^wss:\/\/|^ws:\/\/127\.0\.0\.1:/.test(Websocket.Url)) throw new Error(`an address of ${Websocket.Url}`);
        this.bearer = ConnectionCredentials.ConnectionToken;
        this.dial(Websocket.Url);
    }

    dial(url) {
        const old = this.sockets.at(-1);
        const socket = new WebSocket(url);
        this.sockets.push(socket);
        socket.waiting = new Set();
        socket.onopen = () => {
            socket.send('{"topic":"aws/subscribe","content":{"topics":["aws/chat"]}}');
            this.beat(socket);
            socket.timer = setInterval(() => this.beat(socket), this.heartbeat);
        };
        socket.onmessage = ({ data }) => this.receive(socket, JSON.parse(data), old);
        socket.onclose = ({ code }) => {
            clearInterval(socket.timer);
            this.log.push(`close ${code}`);
            if (socket !== this.sockets.at(-1) || socket.dropped || this.isOver) return;
            this.state = 'lost';
            this.log.push('lost');
            this.connect();
        };
    }

    beat(socket) {
        if (socket.waiting.has('aws/heartbeat')) {
            this.log.push('silence');
            socket.waiting.clear();
            this.connect();
            return;
        }
        for (const topic of ['aws/ping', 'aws/heartbeat']) {
            socket.waiting.add(topic);
            socket.send(JSON.stringify({ topic }));
        }
    }

    receive(socket, frame, old) {
        switch (frame.topic) {
        case 'aws/subscribe':
            this.log.push(`subscribed ${frame.content.status}`);
            this.state = 'established';
            // Make before break: the first one goes when the second one is there.
            if (old && old.readyState === WebSocket.OPEN) { old.dropped = true; old.close(1000); }
            break;
        case 'aws/ping':
            socket.waiting.delete('aws/ping');
            if (frame.statusCode !== 200 || frame.statusContent !== 'OK') this.log.push('deep heartbeat failed');
            break;
        case 'aws/heartbeat': socket.waiting.delete('aws/heartbeat'); break;
        case 'aws/chat': this.take(JSON.parse(frame.content)); break;
        default: this.log.push(`frame ${JSON.stringify(frame)}`);
        }
    }

    take(item) {
        if (this.items.some((each) => each.Id === item.Id && !item.MessageMetadata)) { this.log.push('twice'); return; }
        this.items.push(item);
        if (item.Type === 'MESSAGE') this.show(item);
        if (item.ContentType === EVENT + 'chat.ended') this.end('ended');
    }

    /** A partial message starts with chunk 1, takes consecutive ones, and is replaced by the whole. */
    show(item) {
        const { ChunkNumber, MessageCompleted } = item.MessageMetadata ?? {};
        if (ChunkNumber === undefined || MessageCompleted) { this.shown.push(item.Content); return; }
        const before = this.parts.get(item.Id) ?? { number: 0, text: '' };
        if (ChunkNumber !== before.number + 1) return;
        this.parts.set(item.Id, { number: ChunkNumber, text: before.text + item.Content });
        this.shown.push(before.text + item.Content);
    }

    end(state) {
        this.isOver = true;
        this.state = state;
        for (const socket of this.sockets) {
            clearInterval(socket.timer);
            if (socket.readyState !== WebSocket.OPEN) continue;
            socket.dropped = true;
            socket.close(1000);
        }
    }

    send(text, type = 'text/plain') { return this.ask('message', { ContentType: type, Content: text, ClientToken: crypto.randomUUID() }); }
    typing() { return this.ask('event', { ContentType: EVENT + 'typing', ClientToken: crypto.randomUUID() }); }

    receipt(kind, messageId) {
        const ClientToken = kind === 'read' ? 'INCOMING_READ_RECEIPT' : 'INCOMING_DELIVERED_RECEIPT';
        return this.ask('event', { ContentType: `${EVENT}message.${kind}`, Content: JSON.stringify({ messageId }), ClientToken });
    }

    transcript(body) {
        return this.ask('transcript', { MaxResults: 15, ScanDirection: 'BACKWARD', SortOrder: 'ASCENDING', StartPosition: {}, ...body });
    }

    view(token) { return call(this.endpoint, '/participant/views/' + encodeURIComponent(token), this.bearer, undefined, 'GET'); }

    /** Its id; what the upload was answered; its bytes when it came back. */
    async file(name, bytes, type) {
        const announced = await this.ask('start-attachment-upload', {
            ContentType: type, AttachmentName: name, AttachmentSizeInBytes: bytes.length, ClientToken: crypto.randomUUID(),
        });
        if (announced.status !== 200) return announced;
        const { AttachmentId, UploadMetadata: { Url, HeadersToInclude } } = announced.value;
        // Browsers count the bytes themselves and drop this one.
        const { 'Content-Length': _, ...headers } = HeadersToInclude;
        const put = await fetch(Url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
        const done = await this.ask('complete-attachment-upload', { AttachmentIds: [AttachmentId], ClientToken: crypto.randomUUID() });
        const link = await this.ask('attachment', { AttachmentId });
        const back = new Uint8Array(await (await fetch(link.value.Url)).arrayBuffer());
        const same = back.length === bytes.length && back.every((byte, at) => byte === bytes[at]);
        return { status: done.status, put: put.status, tag: put.headers.get('ETag'), id: AttachmentId, same };
    }
}
