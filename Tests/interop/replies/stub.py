"""A model that is none, with an address as OpenAI has it: says what it was sent. Prints its own address first."""

import http.server
import json


class Stub(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        users = [message["content"] for message in body["messages"] if message["role"] == "user"]
        isKnown = self.path == "/v1/chat/completions" and self.headers["Authorization"] == "Bearer key"
        words = f"{body['model']} heard {' and '.join(users)}"
        answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": words}}]}).encode()
        self.send_response(200 if isKnown else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
