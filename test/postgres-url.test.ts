import { expect, it, test } from 'vitest';
import { shown, UnusableText } from '#core';
import { isPostgresUrl, parsePostgresUrl, shownPostgresUrl } from '#postgres';
import { readSettings } from '#service';
import { casesOf } from './support/cases.ts';

test('an address is parsed as by libpq', () => {
  const hosts = 'us%40er:p%3A%2F%40ss@one,two:6000,[::1]:7000,%2Frun%2Fpg';
  const tls = 'sslmode=verify-full&sslrootcert=/ca.pem';
  const others =
    'target_session_attrs=standby&load_balance_hosts=random&pool_max_conns=3&application_name=me';
  expect(parsePostgresUrl(`postgresql://${hosts}/foo%20d?${tls}&${others}`)).toEqual({
    hosts: [
      { host: 'one', port: 5432 },
      { host: 'two', port: 6000 },
      { host: '::1', port: 7000 },
      { host: '/run/pg', port: 5432 },
    ],
    user: 'us@er',
    password: 'p:/@ss',
    database: 'foo d',
    sslMode: 'verify-full',
    sslRootCert: '/ca.pem',
    sslCert: undefined,
    sslKey: undefined,
    target: 'standby',
    random: true,
    connections: 3,
    applicationName: 'me',
  });
});

test('absent parts default as in libpq; among several servers, the default is a standby', () => {
  expect(parsePostgresUrl('postgres://')).toMatchObject({
    hosts: [{ host: 'localhost', port: 5432 }],
    user: undefined,
    password: undefined,
    database: undefined,
    sslMode: 'prefer',
    target: 'any',
    random: false,
  });
  expect(parsePostgresUrl('postgres://a,b/x').target).toBe('prefer-standby');
  const { hosts } = parsePostgresUrl('postgres:///x?host=/tmp,b&port=1,2');
  expect(hosts.map(({ host, port }) => `${host}:${port}`)).toEqual(['/tmp:1', 'b:2']);
});

test.each(
  casesOf(`
    special characters of the password as %40 | postgres://u:sec@ret@h/x | postgres://u:sec/ret@h/x
      | postgres://u:sec#ret@h/x | postgres://u:1?sec=ret@h/x | postgres://u:1/secret@h
    write %25 for the sign itself | postgres://u:sec%ret@h/x
    a port is a number from 1 to 65535 | postgres://u:secret@h:0/x | postgres://u:secret@h:99999/x
    expected host:port | postgres://u:secret@a:b:c/x
    expected postgres://user:password@host | postgres//u:secret@h/x | postgres:u:secret@h/x
    the parameter password is not known; there are host, port, sslmode | postgres://h/x?password=secret
    the parameter passwrd is not known; there are host, port, sslmode | postgres://h/x?passwrd=secret
    parameters are written name=value; there are host | postgres://h/x?secret | postgres://h/x?password:secret=1
    sslmode is one of disable, allow, prefer, require, verify-ca, verify-full | postgres://h/x?sslmode=maybe
    target_session_attrs is one of any, read-write | postgres://h/x?target_session_attrs=slave
    pool_max_conns is a whole number from 1 to 100 | postgres://h/x?pool_max_conns=0`),
)('an unusable address is refused without showing its password: %s', (message = '', ...texts) => {
  for (const text of texts) {
    expect(isPostgresUrl(text)).toBe(true);
    const parse = () => parsePostgresUrl(text);
    expect(parse, text).toThrow(UnusableText);
    expect(parse, text).toThrow(message);
    expect(parse, text).not.toThrow(/sec|ret@/);
  }
});

test('an address is shown without user and password', () => {
  const parsed = parsePostgresUrl('postgres://me:secret@a,[::1]:7/x?sslmode=require');
  expect(shownPostgresUrl(parsed)).toBe('postgres://a:5432,[::1]:7/x');
});

it.each(['mysql://h/x', 'foods.csv', 'http://h', 'POSTGRES'])('%s is not a PostgreSQL address', (text) => {
  expect(isPostgresUrl(text)).toBe(false);
});

it.each(['https://h/foods.zip?version=2', '/home/u@h/foods.csv', 'Bread, 1/2? yes', 'C:\\foods.csv'])(
  '%s is shown as it is',
  (text) => expect(shown(text)).toBe(JSON.stringify(text)),
);

/** Whatever separates parts of an address, and a few of them together. */
const SPECIAL = [...' !"#$%&\'()*+,-./:;<=>?@[\\]^_{|}~\n\t', '', '://', '//', '/?@', '1/', ',1/'];

it.each(
  `postgres://u:PASSWORD@h/db postgres://u:1PASSWORD@h/db postgres://u:PASSWORD@h:1,i:2/db
  postgres:u:PASSWORD@h/db postgres:/u:PASSWORD@h/db postgres//u:PASSWORD@h/db postgre://u:PASSWORD@h/db
  psotgres//u:PASSWORD@h/db mysql://u:PASSWORD@h:1/db //u:PASSWORD@h/db u:PASSWORD@h/db my_user:PASSWORD@h
  https://u:PASSWORD@h/foods.csv http://PASSWORD@h/foods.csv https://h/foods.csv?password=PASSWORD
  postgres//h/db?pass=PASSWORD postgres://h/db?pass=PASSWORD postgres://h/db?sslmode=no&pass=PASSWORD`.split(
    /\s+/,
  ),
)('no password is shown in %s, whatever character it contains', (address) => {
  for (const character of SPECIAL) {
    const text = address.replace('PASSWORD', () => `SEC${character}RET`);
    expect(shown(text), text).not.toMatch(/SEC|RET/);
    try {
      readSettings({ foodData: text }, {});
    } catch (error) {
      expect(String(error), text).not.toMatch(/SEC|RET/);
    }
  }
});

it.each([
  ['postgres://u:secret@a:1,b:2/db', 'postgres://***@a:1,b:2/db'],
  ['postgres://u:secret@h/db?sslmode=no', 'postgres://***@h/db?***'],
  ['https://u:secret@h/foods.zip?version=2', 'https://***@h/foods.zip?version=2'],
  ['https://h/foods.zip?password=secret&version=2', 'https://h/foods.zip?password=***'],
])('%s is shown as %s', (text, expected) => expect(shown(text)).toBe(JSON.stringify(expected)));
