import { readStored, writeStored } from '../../ui/storage.ts';

const KEY = 'device_id';

let inMemory: string | undefined;

/** Returns this browser's id, created once: the word device, a timestamp, a random string (spec 3). Web views may have no storage. */
export function deviceId(): string {
  inMemory ??= stored() ?? newDeviceId();
  writeStored('localStorage', KEY, inMemory);
  return inMemory;
}

function stored(): string | undefined {
  const id = readStored('localStorage', KEY);
  // An id that the server would refuse is ignored.
  return id !== null && /^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : undefined;
}

function newDeviceId(): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(36).padStart(2, '0'),
  );
  return `device-${Date.now()}-${random.join('')}`;
}
