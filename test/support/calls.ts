/** Numbered JSON calls over a socket, for WebDriver BiDi and WebKit's inspector. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly message?: string;
}

export class Calls {
  #last = 0;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  readonly #send: (text: string) => void;
  readonly #onEvent: (event: Message) => void;

  constructor(send: (text: string) => void, onEvent: (event: Message) => void) {
    this.#send = send;
    this.#onEvent = onEvent;
  }

  async call(method: string, params: object = {}): Promise<never> {
    const id = ++this.#last;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${message ?? JSON.stringify(error)}`);
    return result as never;
  }

  receive(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.id === undefined) this.#onEvent(message);
    else this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id ?? 0);
  }
}
