/** The engine in a worker of a browser, as `engine.test.ts` bundles it. */
import { NO_OTHER_NAMES, textOfUtf8 } from '#core';
import { FoodIndex, readIndex } from '#engine';

/** Answers texts from the index file at an address, with the foods of these words for a text after a slash. */
globalThis.onmessage = async ({ data }: MessageEvent<{ address: string; texts: string[] }>) => {
  const { address, texts } = data;
  const response = await fetch(address);
  const { index, label } = readIndex(new Uint8Array(await response.arrayBuffer()));
  const foods = new FoodIndex(index, undefined, undefined, label.language);
  const answer = (text: string): Uint8Array =>
    text.startsWith('/') ? foods.searchWords(text.slice(1), NO_OTHER_NAMES).body : foods.search(text);
  postMessage(texts.map((text) => textOfUtf8(answer(text))));
};
