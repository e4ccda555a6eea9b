/** A proxy between two programs that can stall the network, or change what they send. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from './listen.ts';

export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isStalled = false;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @param target a port of this machine @param change changes the bytes that it answers */
  static async start(
    target: number,
    change = (bytes: Buffer): Buffer => bytes,
    host = '127.0.0.1',
  ): Promise<TcpProxy> {
    const server = createServer();
    await listen(server);
    const proxy = new TcpProxy(server);
    server.on('connection', (from) => proxy.#join(from, connect(target, host), change));
    return proxy;
  }

  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** Holds back all bytes, even of new connections, and closes nothing. */
  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  resume(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Closes all connections; new ones are accepted. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(from: Socket, to: Socket, change: (bytes: Buffer) => Buffer): void {
    const unchanged = (bytes: Buffer) => bytes;
    for (const [socket, other, passed] of [[from, to, unchanged] as const, [to, from, change] as const]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('data', (bytes) => other.write(passed(bytes)));
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      if (this.#isStalled) socket.pause();
    }
  }
}
