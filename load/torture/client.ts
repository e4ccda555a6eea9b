/**
 * An HTTP client on a bare socket, with one connection: it costs less than the service, and notices requests that are never
 * answered.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** @param headers lines with their ends */
export const requestFor = (target: string, headers = ''): Buffer =>
  Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);

export interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';

export class Client {
  readonly #socket: Socket;
  #rest: Buffer | undefined;
  #done: ((answer: Answer | undefined) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.#finish(undefined));
    socket.on('end', () => socket.destroy());
  }

  /** @throws if the connection is refused */
  static async open(port: number): Promise<Client> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new Client(socket);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Sends a request; only one may be under way. Undefined if the connection ends before the answer is complete. */
  answerTo(request: Buffer): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      this.#done = resolve;
      if (this.isOpen) this.#socket.write(request);
      else this.#finish(undefined);
    });
  }

  close(): void {
    this.#done = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.indexOf(END_OF_HEAD);
    if (end >= 0) {
      const head = bytes.toString('latin1', 0, end);
      const bodyAt = end + END_OF_HEAD.length;
      const size = bodyAt + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (bytes.length >= size) {
        this.#rest = undefined;
        this.#finish({ status: Number(head.slice(9, 12)), head, body: bytes.subarray(bodyAt, size) });
        return;
      }
    }
    this.#rest = bytes;
  }

  #finish(answer: Answer | undefined): void {
    const done = this.#done;
    this.#done = undefined;
    done?.(answer);
  }
}

/** Opens connections in batches, so that the system's queue does not overflow. */
export async function openMany(port: number, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const some = Math.min(200, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length: some }, () => Client.open(port)))));
  }
  return clients;
}
