declare module 'pgpass' {
  const pgpass: (connection: object, done: (password: string | undefined) => void) => void;
  export = pgpass;
}
