/** The kinds of the facts of foods, collected while foods arrive; their amounts are in the batches. */
import { type FoodRecord, growingNumbers, KeyTable, NONE, utf8 } from '#core';
import { areAlike, type FactKind, type FactSections, kindsOf, NO_FACTS } from '../store/facts.ts';
import { putVarint, VarintWriter, varintLength } from '../store/varints.ts';
import { batchOf, type FoodBatch, indexInBatch } from './food-batch.ts';

/** The amounts of the foods of a batch as bytes. */
export type BatchFacts = Pick<FoodBatch, 'facts' | 'factStarts'>;

/** The shape of a food without facts. */
const NO_KINDS = 0;

export class FactShapes {
  /** Numbered as they come, and again in the order of the foods. */
  readonly #kinds: FactKind[] = [];
  /** The numbers of kinds by unit and name. */
  readonly #numbers = new Map<string | undefined | null, Map<string, number>>();
  /** Of each shape but the empty one, by its number less 1, the shape without its last kind, and this. */
  readonly #shapes = new KeyTable();
  readonly #shorter: number[] = [];
  readonly #lastKinds: number[] = [];
  /** The food before, and its shape: the kinds of most foods are the same, and even the same strings. */
  #before: FoodRecord | undefined;
  #shape = NO_KINDS;
  #shapeOf = growingNumbers();
  /** Where each shape is in the sections. */
  #places = new Int32Array(0);

  add(food: FoodRecord): void {
    if (this.#before === undefined || !areAlike(food, this.#before)) {
      this.#shape = NO_KINDS;
      for (const kind of kindsOf(food)) this.#shape = this.#shapeWith(this.#shape, this.#numberOf(kind));
    }
    this.#shapeOf.push(this.#shape);
    this.#before = food;
  }

  #shapeWith(shape: number, kind: number): number {
    const number = this.#shapes.numberOf(shape, kind);
    if (number === this.#shorter.length) {
      this.#shorter.push(shape);
      this.#lastKinds.push(kind);
    }
    return number + 1;
  }

  #numberOf(kind: FactKind): number {
    const [name, unit] = typeof kind === 'string' ? [kind, null] : kind;
    const ofUnit = this.#numbers.get(unit) ?? new Map<string, number>();
    this.#numbers.set(unit, ofUnit);
    const number = ofUnit.get(name) ?? this.#kinds.push(kind) - 1;
    ofUnit.set(name, number);
    return number;
  }

  /** The facts of the foods in this order, without the rows, which {@link fill} fills in. */
  finish(order: Uint32Array, batches: readonly BatchFacts[]): FactSections {
    if (this.#shorter.length === 0) return NO_FACTS;
    const starts = new Uint32Array(order.length + 1);
    const [shapes, kinds] = [new VarintWriter(), new Map<number, number>()];
    const places = new Int32Array(this.#shorter.length + 1).fill(NONE);
    const placeOf = (shape: number): number => {
      const added: number[] = [];
      for (let each = shape; each !== NO_KINDS && places[each] === NONE; each = this.#shorter[each - 1]!)
        added.push(each);
      for (const each of added.reverse()) {
        const before = places[this.#shorter[each - 1]!]!;
        const kind = this.#lastKinds[each - 1]!;
        const number = kinds.get(kind) ?? kinds.size;
        kinds.set(kind, number);
        places[each] = shapes.length;
        shapes.number(before === NONE ? 0 : shapes.length - before);
        shapes.number(number);
      }
      return places[shape]!;
    };
    for (let i = 0; i < order.length; i++) {
      const food = order[i]!;
      const shape = this.#shapeOf.items[food]!;
      const { factStarts } = batches[batchOf(food)]!;
      const at = indexInBatch(food);
      const length =
        shape === NO_KINDS ? 0 : varintLength(placeOf(shape)) + factStarts[at + 1]! - factStarts[at]!;
      starts[i + 1] = starts[i]! + length;
    }
    this.#places = places;
    return {
      starts,
      rows: new Uint8Array(starts.at(-1)!),
      shapes: shapes.written.slice(),
      kinds: utf8(JSON.stringify(Array.from(kinds.keys(), (kind) => this.#kinds[kind]))),
    };
  }

  /** Empties it. */
  fill(order: Uint32Array, batches: readonly BatchFacts[], { starts, rows }: FactSections): void {
    for (let i = 0; i < starts.length - 1; i++) {
      const food = order[i]!;
      const end = starts[i + 1]!;
      let at = starts[i]!;
      if (at === end) continue;
      at = putVarint(this.#places[this.#shapeOf.items[food]!]!, rows, at);
      const { facts, factStarts } = batches[batchOf(food)]!;
      // A row has a few bytes, for which a view takes longer.
      for (let k = factStarts[indexInBatch(food)]!; at < end; k++) rows[at++] = facts[k]!;
    }
    this.#shapeOf = growingNumbers();
  }
}
