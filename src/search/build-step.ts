/**
 * The steps of making an index, for any thread, and what they yield meanwhile.
 */

import type { Allocate } from './building/arena.ts';
import type { InputOf, Job, OutputOf, StepName } from './building/build-thread.ts';
import type { FoodBatch } from './building/food-batch.ts';
import type { PortionsBuilder } from './portions.ts';
import type { IndexSections } from './sections.ts';

export type BuildPhase = 'scoring' | 'sorting foods' | 'sorting suffixes' | 'filling the index';

export type SectionArray = Uint8Array | Uint32Array | Int32Array;

export type BuildStep =
  | { readonly phase: BuildPhase }
  /** Jobs for any threads; the generator continues with an array of their outputs. */
  | { readonly jobs: readonly Job[] }
  /** A job for each thread, likewise. */
  | { readonly each: Job }
  /** The index before its arrays are filled in, without entries, and the bytes that these will have. */
  | { readonly index: IndexSections; readonly entriesSize: number }
  /** The next entries; their memory is reused. */
  | { readonly entries: Uint8Array }
  /** Arrays of the index that are final. */
  | { readonly finished: readonly SectionArray[] }
  /** Much memory has become garbage. */
  | { readonly release: true };

export type Building<Result> = Generator<BuildStep, Result, unknown>;

/** Foods that are read, in batches. */
export interface ReadFoods {
  readonly batches: FoodBatch[];
  readonly portions: PortionsBuilder;
  readonly size: number;
  /** Bytes of all descriptions and entries. */
  readonly textSize: number;
  readonly entriesSize: number;
}

export interface Crew {
  readonly threads: number;
  readonly allocate: Allocate;
}

/** Runs jobs in any threads. */
export function* run<Name extends StepName>(
  step: Name,
  inputs: readonly InputOf<Name>[],
): Building<OutputOf<Name>[]> {
  return (yield { jobs: inputs.map((input) => ({ step, input })) }) as OutputOf<Name>[];
}

/** Runs a job in each thread. */
export function* inEach<Name extends StepName>(step: Name, input: InputOf<Name>): Building<OutputOf<Name>[]> {
  return (yield { each: { step, input } }) as OutputOf<Name>[];
}
