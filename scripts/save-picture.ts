/**
 * Pictures for the documentation. With a palette they take a third of the bytes, which every clone and release holds.
 */
import sharp from 'sharp';

export async function savePicture(picture: Buffer, path: string): Promise<void> {
  await sharp(picture).png({ palette: true, effort: 10 }).toFile(path);
}
