import type { FileHandle } from 'node:fs/promises';

/** A box of an MP4 (ISO 14496-12) or QuickTime file: where it lies, its header included. `end` is the first byte after it. */
export type Box = { type: string; start: number; body: number; end: number };

/** The boxes of a file, one after the other, and how the row ends: at the end of the file, beyond it, or in bytes that are no box. */
export type TopLevel = { boxes: Box[]; end: 'whole' | 'cut' | 'foreign' };

/** More boxes than any film has. */
const MOST_BOXES = 50_000;
const KNOWN = new Set(
  'ftyp styp moov mdat free skip wide moof mfra sidx ssix uuid meta pdin emsg prft udta pnot imda evte'.split(
    ' ',
  ),
);

/** Reads the headers of a file's boxes; null when there are more than any film has. */
export async function topLevel(file: FileHandle, size: number): Promise<TopLevel | null> {
  const boxes: Box[] = [];
  for (let at = 0; at < size; at = boxes.at(-1)?.end ?? size) {
    const box = headerIn((await file.read(Buffer.alloc(16), 0, 16, at)).buffer, at, size);
    if (box === null || !KNOWN.has(box.type)) return { boxes, end: 'foreign' };
    boxes.push(box);
    if (box.end > size) return { boxes, end: 'cut' };
    if (boxes.length > MOST_BOXES) return null;
  }
  return { boxes, end: 'whole' };
}

function headerIn(bytes: Buffer, at: number, size: number): Box | null {
  const short = bytes.readUInt32BE(0);
  const type = bytes.toString('latin1', 4, 8);
  if (short === 0) return { type, start: at, body: at + 8, end: Math.max(size, at + 8) };
  const long = short === 1;
  const length = long ? Number(bytes.readBigUInt64BE(8)) : short;
  const header = long ? 16 : 8;
  return length < header ? null : { type, start: at, body: at + header, end: at + length };
}

/** A movie's box in memory, with its children by type. */
export type Node = { type: string; body: Buffer; children: Node[] };

const CONTAINERS = new Set('moov trak mdia minf stbl edts dinf mvex moof traf'.split(' '));
const DEEPEST = 10;
const MOST_NODES = 50_000;

/** The tree of a `moov` or `moof` in memory; null when boxes overlap their parents, go too deep, or are too many. */
export function treeOf(type: string, body: Buffer): Node | null {
  const budget = { nodes: MOST_NODES };
  const children = childrenOf(body, 1, budget);
  return children && { type, body, children };
}

function childrenOf(body: Buffer, depth: number, budget: { nodes: number }): Node[] | null {
  const nodes: Node[] = [];
  for (let at = 0; at + 8 <= body.length; ) {
    budget.nodes -= 1;
    const length = body.readUInt32BE(at);
    const type = body.toString('latin1', at + 4, at + 8);
    if (budget.nodes < 0 || depth > DEEPEST || length < 8 || at + length > body.length) return null;
    const inner = body.subarray(at + 8, at + length);
    const children = CONTAINERS.has(type) ? childrenOf(inner, depth + 1, budget) : [];
    if (children === null) return null;
    nodes.push({ type, body: inner, children });
    at += length;
  }
  return nodes;
}

/** The first child on a path of types, such as `mdia/hdlr`. */
export function at(node: Node, path: string): Node | undefined {
  return path
    .split('/')
    .reduce<Node | undefined>((found, type) => found?.children.find((child) => child.type === type), node);
}
