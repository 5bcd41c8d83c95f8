import { writeFile } from "node:fs/promises";
import gifenc from "gifenc";
import { PNG } from "pngjs";

const { GIFEncoder, quantize, applyPalette } = gifenc;

/** Colors of a GIF; one of them says "as in the picture before". */
const mostColors = 255;

/**
 * Writes pictures of one size as an animated GIF that repeats. Of each picture only what differs from the one before is
 * kept, which makes the file a tenth as large.
 *
 * @param {string} path
 * @param {readonly { png: Buffer, ms: number }[]} frames `ms`: how long each is seen
 */
export async function writeAnimation(path, frames) {
  const pictures = frames.map(({ png }) => PNG.sync.read(png));
  const [{ width, height }] = pictures;
  const gif = GIFEncoder();
  const palette = quantize(together(pictures), mostColors, { format: "rgb565" });
  const transparentIndex = palette.length;
  /** @type {Uint8Array | undefined} */
  let before;
  for (const [n, picture] of pictures.entries()) {
    const colors = applyPalette(picture.data, palette, "rgb565");
    const shown = colors.slice();
    for (let at = 0; before !== undefined && at < shown.length; at++) {
      if (shown[at] === before[at]) shown[at] = transparentIndex;
    }
    gif.writeFrame(shown, width, height, {
      ...(n === 0 ? { palette: [...palette, [0, 0, 0]] } : {}),
      delay: frames[n].ms,
      dispose: 1,
      ...(before === undefined ? {} : { transparent: true, transparentIndex }),
    });
    before = colors;
  }
  gif.finish();
  await writeFile(path, gif.bytes());
}

/** @param {readonly PNG[]} pictures */
function together(pictures) {
  // Every third picture has all colors of an interface, and choosing among them takes a third of the time.
  const some = pictures.filter((_, n) => n % 3 === 0);
  return Buffer.concat(some.map(({ data }) => data));
}
