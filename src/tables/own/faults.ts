/** The list of the cells that have no figure, or no name. */
import { UserError } from '#core';

const LISTED = 10;

export class Faults {
  readonly #where: string;
  readonly #listed: { readonly fault: string; readonly remedy: string }[] = [];
  #count = 0;

  constructor(where: string) {
    this.#where = where;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  /** @param fault begins with the place; @param remedy a sentence */
  add(fault: string, remedy: string): void {
    this.#count++;
    if (this.#listed.length < LISTED) this.#listed.push({ fault, remedy });
  }

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
