/**
 * Shows what a dry run has found: as tables for people, and as plain lines for programs.
 */
import Table from 'cli-table3';
import { shown } from '../errors.ts';
import { printable } from '../printable.ts';
import {
  amount,
  columnText,
  counted,
  type Finding,
  placesOf,
  type SourceReport,
} from '../readers/report/source-report.ts';
import { foodsOf, foodTable } from './food-table.ts';

export interface DryRun {
  readonly sources: readonly SourceReport[];
  /** The first foods, as entries of an answer. */
  readonly foods: readonly string[];
  /** Names that occur many times. */
  readonly names: readonly (readonly [name: string, count: number])[];
  /** The command for the import; undefined if it would fail. */
  readonly command: string | undefined;
}

/** Names that are listed. */
const NAMES = 3;

/** @param width the columns of the terminal */
export function terminalLines({ sources, foods, names, command }: DryRun, width: number): string[] {
  const lines = sources.flatMap((source) => [
    `${source.title}: ${countsOf(source)}`,
    '',
    ...columnTable(source, width),
    ...unusedOf(source).map((headings) => `Not used: ${headings}`),
    ...(source.columns.length === 0 ? [] : ['']),
  ]);
  if (foods.length > 0) {
    lines.push(foods.length === 1 ? 'The first food' : `The first ${foods.length} foods`);
    lines.push(...foodTable(foodsOf(`[${foods.join(',')}]`), width), '');
  }
  const findings = findingsOf(sources, names);
  if (findings.length > 0) lines.push('To be checked', ...findingTable(findings, width), '');
  else if (command !== undefined) lines.push('Nothing is suspicious.', '');
  if (command !== undefined) lines.push('Nothing was written. To import:', '', `  ${command}`);
  return lines;
}

/** A word for the kind of line, then its content. */
export function plainLines({ sources, foods, names, command }: DryRun): string[] {
  const line = (word: string, text: string): string => `${word.padEnd(11)}${text}`;
  return [
    ...sources.flatMap((source) => [
      line('source', source.title),
      ...source.columns.map((column) => line('column', columnText(column))),
      ...unusedOf(source).map((headings) => line('not used', headings)),
      line('rows', countsOf(source)),
    ]),
    ...foods.map((food) => line('food', food)),
    ...findingsOf(sources, names).map(({ kind, text, places }) => line(kind, `${text}: ${places}`)),
    ...(command === undefined ? [] : [line('import', command)]),
  ];
}

function countsOf({ rows, kept, portions, duplicates, passedOver, dropped }: SourceReport): string {
  const counts: (readonly [number, string])[] = [
    [duplicates.total, duplicates.total === 1 ? 'duplicate' : 'duplicates'],
    [passedOver.total, 'passed over'],
    [dropped.total, 'dropped'],
  ];
  const others = counts.filter(([count]) => count > 0).map(([count, what]) => `, ${amount(count)} ${what}`);
  const also = portions === 0 ? '' : `; ${counted(portions, 'portion')}`;
  return `${counted(rows, 'row')}: ${amount(kept)} kept${others.join('')}${also}`;
}

const unusedOf = ({ unused }: SourceReport): string[] =>
  unused.length === 0 ? [] : [unused.map(shown).join(', ')];

/** Columns of the terminal for fields, numbers and frame; heading and note share the rest. */
const FIELDS_WIDTH = 29;
const LEAST_WIDTH = 12;

function columnTable({ columns }: SourceReport, width: number): string[] {
  if (columns.length === 0) return [];
  const rows = columns.map(
    ({ field, column, heading, note }) => [field, column, printable(heading), printable(note)] as const,
  );
  const longest = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length)) + 2;
  const headings = longest(rows.map(([, , heading]) => heading));
  const notes = longest(rows.map(([, , , note]) => note));
  const room = width - FIELDS_WIDTH;
  const forHeadings = Math.min(headings, Math.max(LEAST_WIDTH, Math.floor(room / 2)));
  const forNotes = Math.max(LEAST_WIDTH, room - forHeadings);
  const table = new Table({
    head: ['field', 'column', 'heading', ...(notes > 2 ? ['note'] : [])],
    colAligns: ['left', 'right', 'left', 'left'],
    colWidths: headings + notes > room ? [null, null, forHeadings, forNotes] : [],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push(notes > 2 ? [...row] : row.slice(0, 3));
  return table.toString().split('\n');
}

function findingsOf(sources: readonly SourceReport[], names: DryRun['names']): Finding[] {
  const findings = sources
    .flatMap((source) => source.findings)
    .filter(({ kind }) => kind !== 'duplicate' && kind !== 'passed over');
  if (names.length === 0) return findings;
  const listed = names.slice(0, NAMES).map(([name, count]) => `${shown(name)} ${amount(count)} times`);
  const text = `${amount(names.length)} ${names.length === 1 ? 'name occurs' : 'names occur'} many times`;
  return [...findings, { kind: 'suspicious', text, places: placesOf(listed, names.length) }];
}

/** Columns of the terminal for the kind of finding and the frame; text and places share the rest. */
const KIND_WIDTH = 16;

function findingTable(findings: readonly Finding[], width: number): string[] {
  const half = Math.max(20, Math.floor((width - KIND_WIDTH) / 2));
  const table = new Table({
    colWidths: [null, half, half],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const { kind, text, places } of findings) table.push([kind, printable(text), printable(places)]);
  return table.toString().split('\n');
}
