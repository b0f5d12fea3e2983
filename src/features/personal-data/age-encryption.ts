import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

/** Keys in the text format of age (age-encryption.org/v1). */
export interface AgeKeyPair {
  identity: string;
  recipient: string;
}

export async function generateAgeKeyPair(): Promise<AgeKeyPair> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Check whether age can encrypt to a public key. */
export async function isValidAgeRecipient(recipient: string): Promise<boolean> {
  try {
    await createEncrypter(recipient).encrypt('');
    return true;
  } catch {
    return false;
  }
}

/** Encrypt a stream as an age file for a recipient, in chunks of 64 KiB that are authenticated one by one. */
export async function encryptToAgeRecipient(recipient: string, plain: Readable): Promise<Readable> {
  return toNodeStream(await createEncrypter(recipient).encrypt(toWebStream(plain)));
}

/** Decrypt an age file. The stream fails before the first altered chunk, and if the end is missing. */
export async function decryptWithAgeIdentity(identity: string, file: Readable): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return toNodeStream(await decrypter.decrypt(toWebStream(file)));
}

function createEncrypter(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter;
}

// Not Readable.toWeb: in Node 20 it reads up to 16,384 chunks ahead of its consumer. Both types name the same class
// at run time.
function toWebStream(stream: Readable): globalThis.ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(stream) as unknown as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>;
}

function toNodeStream(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as unknown as ReadableStream);
}
