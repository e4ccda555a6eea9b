declare module 'pgpass' {
  namespace pgpass {
    interface Connection {
      readonly host: string;
      readonly port: number;
      readonly database: string;
      readonly user: string;
    }
  }
  function pgpass(connection: pgpass.Connection, done: (password: string | undefined) => void): void;
  export = pgpass;
}
