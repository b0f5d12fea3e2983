import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';

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

/** Decrypt a small age file with the identities of an identity file. @throws Error when it cannot be decrypted */
export async function decryptWithAgeIdentities(identityFile: string, encrypted: Uint8Array): Promise<string> {
  const identities = identityFile
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    return await decrypter.decrypt(encrypted, 'text');
  } catch {
    // The messages of the library can have the identity.
    throw new Error('The keys cannot be decrypted with this identity.');
  }
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
