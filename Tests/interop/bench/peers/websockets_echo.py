"""The peer in Python's websockets: an echo. Prints its address, stops on SIGTERM."""

import asyncio
import logging
import signal

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

logging.disable(logging.CRITICAL)


async def echo(socket):
    try:
        async for message in socket:
            await socket.send(message)
    except ConnectionClosed:
        pass


async def main():
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    # Without compression and pings, as the others.
    async with serve(echo, "127.0.0.1", 0, compression=None, ping_interval=None, backlog=1024) as server:
        print(f"listening on http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await stop.wait()


asyncio.run(main())
