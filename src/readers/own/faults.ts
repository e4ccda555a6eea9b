/**
 * The faults of a table, collected so that a user can fix them all at once.
 */
import { UserError } from '../../system/errors.ts';

/** Faults that are listed; further ones are only counted. */
const LISTED = 10;

export class Faults {
  readonly #where: string;
  readonly #listed: { readonly fault: string; readonly remedy: string }[] = [];
  #count = 0;

  /** @param where the file, as messages call it */
  constructor(where: string) {
    this.#where = where;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  /**
   * @param fault begins with the place
   * @param remedy a whole sentence
   */
  add(fault: string, remedy: string): void {
    this.#count++;
    if (this.#listed.length < LISTED) this.#listed.push({ fault, remedy });
  }

  /** @throws UserError that lists the first faults, if there are any */
  refuse(): void {
    const [first] = this.#listed;
    if (first === undefined) return;
    const all = `There are ${this.#count.toLocaleString('en')} faults:`;
    const more = this.#count - this.#listed.length;
    const lines = this.#listed.map(
      ({ fault, remedy }) => `  ${fault}${remedy === first.remedy ? '' : `. ${remedy}`}`,
    );
    if (more > 0) lines.push(`  and ${more.toLocaleString('en')} more`);
    const message = `${this.#where}, ${first.fault}. ${first.remedy}`;
    throw this.#count === 1 ? new UserError(message) : new UserError(`${message} ${all}`, lines);
  }
}
