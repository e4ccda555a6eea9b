/** How long the service waits for clients and for itself, in ms. */
export const PATIENCE = {
  /** Between two checks of all connections. */
  check: 5000,
  /**
   * For the next request of a connection; longer than proxies keep theirs, so that none reuses a closing one. Node.js' own
   * timeout would start a timer for each answer and stop it for each request.
   */
  idle: 72_000,
  /** For progress of an answer, after which the client counts as not reading. */
  read: 15_000,
  /** With searches that are answered in one turn of the event loop, before refusing begins. */
  turn: 1000,
  /** With searches by words in one turn, before no other begins. */
  words: 10,
  /** With one that still waits for its turn, before it is refused. */
  wait: 1000,
};

export type Patience = Readonly<typeof PATIENCE>;
