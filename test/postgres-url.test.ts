import { expect, it, test } from 'vitest';
import { shown, UnusableText } from '#core';
import { isPostgresUrl, parsePostgresUrl, shownPostgresUrl } from '#postgres';
import { readSettings } from '#service';

test('an address is parsed as by libpq', () => {
  expect(
    parsePostgresUrl(
      'postgresql://us%40er:p%3A%2F%40ss@one,two:6000,[::1]:7000,%2Frun%2Fpg/foo%20d?sslmode=verify-full&sslrootcert=/ca.pem&target_session_attrs=standby&load_balance_hosts=random&pool_max_conns=3&application_name=me',
    ),
  ).toEqual({
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
  expect(parsePostgresUrl('postgres:///x?host=/tmp,b&port=1,2').hosts).toEqual([
    { host: '/tmp', port: 1 },
    { host: 'b', port: 2 },
  ]);
});

test.each([
  ['postgres://u:sec@ret@h/x', /special characters of the password as %40/],
  ['postgres://u:sec/ret@h/x', /special characters of the password as %40/],
  ['postgres://u:sec#ret@h/x', /special characters/],
  ['postgres://u:sec%ret@h/x', /write %25 for the sign itself/],
  ['postgres://u:secret@h:0/x', /a port is a number from 1 to 65535/],
  ['postgres://u:secret@h:99999/x', /a port is/],
  ['postgres://u:secret@a:b:c/x', /expected host:port/],
  ['postgres://h/x?password=secret', /the parameter password is not known; there are host, port, sslmode/],
  ['postgres//u:secret@h/x', /expected postgres:\/\/user:password@host/],
  ['postgres:u:secret@h/x', /expected postgres:\/\/user:password@host/],
  ['postgres://h/x?passwrd=secret', /the parameter passwrd is not known; there are host, port, sslmode/],
  ['postgres://h/x?secret', /parameters are written name=value; there are host/],
  ['postgres://h/x?password:secret=1', /parameters are written name=value; there are host/],
  ['postgres://u:1?sec=ret@h/x', /special characters of the password as %40/],
  ['postgres://u:1/secret@h', /special characters of the password as %40/],
  [
    'postgres://h/x?sslmode=maybe',
    /sslmode is one of disable, allow, prefer, require, verify-ca, verify-full/,
  ],
  ['postgres://h/x?target_session_attrs=slave', /target_session_attrs is one of any, read-write/],
  ['postgres://h/x?pool_max_conns=0', /pool_max_conns is a whole number from 1 to 100/],
])('an unusable address is refused without showing its password %s', (text, message) => {
  expect(isPostgresUrl(text)).toBe(true);
  expect(() => parsePostgresUrl(text)).toThrow(UnusableText);
  expect(() => parsePostgresUrl(text)).toThrow(message);
  try {
    parsePostgresUrl(text);
  } catch (error) {
    expect(String(error)).not.toMatch(/sec|ret@/);
  }
});

test('an address is shown without user and password', () => {
  expect(shownPostgresUrl(parsePostgresUrl('postgres://me:secret@a,[::1]:7/x?sslmode=require'))).toBe(
    'postgres://a:5432,[::1]:7/x',
  );
});

it.each(['mysql://h/x', 'foods.csv', 'http://h', 'POSTGRES'])('%s is not a PostgreSQL address', (text) => {
  expect(isPostgresUrl(text)).toBe(false);
});

it.each(['https://h/foods.zip?version=2', '/home/u@h/foods.csv', 'Bread, 1/2? yes', 'C:\\foods.csv'])(
  '%s is shown as it is',
  (text) => {
    expect(shown(text)).toBe(JSON.stringify(text));
  },
);

/** Whatever separates parts of an address, and a few of them together. */
const SPECIAL = [...' !"#$%&\'()*+,-./:;<=>?@[\\]^_{|}~\n\t', '', '://', '//', '/?@', '1/', ',1/'];

it.each([
  'postgres://u:PASSWORD@h/db',
  'postgres://u:1PASSWORD@h/db',
  'postgres://u:PASSWORD@h:1,i:2/db',
  'postgres:u:PASSWORD@h/db',
  'postgres:/u:PASSWORD@h/db',
  'postgres//u:PASSWORD@h/db',
  'postgres//h/db?pass=PASSWORD',
  'postgres://h/db?pass=PASSWORD',
  'mysql://u:PASSWORD@h:1/db',
  'https://u:PASSWORD@h/foods.csv',
  'http://PASSWORD@h/foods.csv',
  'https://h/foods.csv?password=PASSWORD',
  '//u:PASSWORD@h/db',
  'u:PASSWORD@h/db',
  'my_user:PASSWORD@h',
  'postgre://u:PASSWORD@h/db',
  'psotgres//u:PASSWORD@h/db',
  'postgres://h/db?sslmode=no&pass=PASSWORD',
])('no password is shown in %s, whatever character it contains', (address) => {
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
