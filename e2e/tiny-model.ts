/** Vocabulary size. Embeddings are one-hot, so this is also the model's width. */
const VOCABULARY = 768;
const BEGIN = "<s>";
const END = "</s>";

interface Piece {
  text: string;
  /** The engine merges the highest-scoring piece first. */
  score: number;
  /** GGUF token type. */
  type: 1 | 2 | 3 | 6;
}

/** A language model in llama.cpp's format, built from bigram counts of `text`'s byte-pair pieces.
 * It is a llama of one layer whose attention is zero, one-hot embeddings and log-probabilities as output, so it speaks
 * nonsense with the tokens, sampling and ends of a real one. Takes about a second.
 */
export function tinyModel(text: string): Uint8Array<ArrayBuffer> {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.match(/\S+/g)?.map((word) => `▁${word}`) ?? []);
  const { pieces, split } = bytePairs(paragraphs.flat());
  return gguf(pieces, logProbabilities(paragraphs, pieces, split));
}

/** The vocabulary, and the segmentation of words into its pieces. */
function bytePairs(words: readonly string[]): { pieces: Piece[]; split: Map<string, string[]> } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const split = new Map([...counts.keys()].map((word) => [word, Array.from(word)]));
  const bytes = Array.from({ length: 256 }, (_, byte): Piece => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
    score: 0,
    type: 6,
  }));
  const characters = [...new Set([...split.values()].flat())].filter(
    (character) => character.charCodeAt(0) < 128 || character === "▁",
  );
  const found = [...characters];
  while (3 + bytes.length + found.length < VOCABULARY) found.push(merge(split, counts));
  const normal = found.map((piece, rank): Piece => ({ text: piece, score: -rank, type: 1 }));
  const control: Piece[] = [
    { text: "<unk>", score: 0, type: 2 },
    { text: BEGIN, score: 0, type: 3 },
    { text: END, score: 0, type: 3 },
  ];
  return { pieces: [...control, ...bytes, ...normal], split };
}

/** Merges the most frequent adjacent pair and returns it. */
function merge(split: ReadonlyMap<string, string[]>, counts: ReadonlyMap<string, number>): string {
  const pairs = new Map<string, number>();
  for (const [word, parts] of split) {
    for (let at = 1; at < parts.length; at++) {
      const pair = `${parts[at - 1]}\0${parts[at]}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + (counts.get(word) ?? 0));
    }
  }
  const [best] = [...pairs].reduce((most, pair) => (pair[1] > most[1] ? pair : most));
  const [left = "", right = ""] = best.split("\0");
  for (const parts of split.values()) {
    for (let at = 1; at < parts.length; at++)
      if (parts[at - 1] === left && parts[at] === right) parts.splice(at - 1, 2, left + right);
  }
  return left + right;
}

/** Probability that `next` (row) follows `previous` (column). */
function logProbabilities(
  paragraphs: readonly string[][],
  pieces: readonly Piece[],
  split: ReadonlyMap<string, string[]>,
): Float32Array {
  const width = pieces.length;
  const ids = new Map(pieces.map(({ text }, id) => [text, id]));
  const counts = new Float32Array(width * width).fill(1e-4);
  const totals = new Float32Array(width).fill(1e-4 * width);
  for (const words of paragraphs) {
    const sequence = [BEGIN, ...words.flatMap((word) => split.get(word) ?? []), END].map(
      (piece) => ids.get(piece) ?? 0,
    );
    for (let at = 1; at < sequence.length; at++) {
      const [previous = 0, next = 0] = sequence.slice(at - 1);
      const cell = next * width + previous;
      counts[cell] = (counts[cell] ?? 0) + 1;
      totals[previous] = (totals[previous] ?? 0) + 1;
    }
  }
  return counts.map((count, at) => Math.log(count / (totals[at % width] ?? 1)));
}

type Value =
  { u32: number } | { f32: number } | { text: string } | { texts: string[] } | { f32s: number[] } | { i32s: number[] };

/** https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, version 3. */
function gguf(pieces: readonly Piece[], output: Float32Array): Uint8Array<ArrayBuffer> {
  const width = pieces.length;
  const head = 32;
  const zeros = (...shape: number[]) => ({
    shape,
    data: new Float32Array(shape.reduce((product, side) => product * side, 1)),
  });
  const ones = { shape: [width], data: new Float32Array(width).fill(1) };
  const embedding = zeros(width, width);
  for (let id = 0; id < width; id++) embedding.data[id * width + id] = 1;
  const tensors = {
    "token_embd.weight": embedding,
    "blk.0.attn_norm.weight": ones,
    "blk.0.attn_q.weight": zeros(width, head),
    "blk.0.attn_k.weight": zeros(width, head),
    "blk.0.attn_v.weight": zeros(width, head),
    "blk.0.attn_output.weight": zeros(head, width),
    "blk.0.ffn_norm.weight": ones,
    "blk.0.ffn_gate.weight": zeros(width, head),
    "blk.0.ffn_up.weight": zeros(width, head),
    "blk.0.ffn_down.weight": zeros(head, width),
    // The preceding norm scales a one-hot vector to length √width.
    "output_norm.weight": { shape: [width], data: new Float32Array(width).fill(1 / Math.sqrt(width)) },
    "output.weight": { shape: [width, width], data: output },
  };
  const facts: Record<string, Value> = {
    "general.architecture": { text: "llama" },
    "general.name": { text: "tiny" },
    "llama.vocab_size": { u32: width },
    "llama.context_length": { u32: 4096 },
    "llama.embedding_length": { u32: width },
    "llama.block_count": { u32: 1 },
    "llama.feed_forward_length": { u32: head },
    "llama.rope.dimension_count": { u32: head },
    "llama.attention.head_count": { u32: 1 },
    "llama.attention.key_length": { u32: head },
    "llama.attention.value_length": { u32: head },
    "llama.attention.layer_norm_rms_epsilon": { f32: 1e-9 },
    "tokenizer.ggml.model": { text: "llama" },
    "tokenizer.ggml.tokens": { texts: pieces.map(({ text }) => text) },
    "tokenizer.ggml.scores": { f32s: pieces.map(({ score }) => score) },
    "tokenizer.ggml.token_type": { i32s: pieces.map(({ type }) => type) },
    "tokenizer.ggml.bos_token_id": { u32: 1 },
    "tokenizer.ggml.eos_token_id": { u32: 2 },
  };
  const parts = [Buffer.from("GGUF"), u32(3), u64(Object.keys(tensors).length), u64(Object.keys(facts).length)];
  for (const [key, value] of Object.entries(facts)) parts.push(string(key), encode(value));
  let offset = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    parts.push(string(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    offset += data.byteLength;
  }
  const heading = Buffer.concat(parts);
  const aligned = Buffer.alloc(Math.ceil(heading.length / 32) * 32);
  heading.copy(aligned);
  return new Uint8Array(
    Buffer.concat([aligned, ...Object.values(tensors).map(({ data }) => Buffer.from(data.buffer))]),
  );
}

function number(bytes: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}
const u32 = (value: number) => number(4, (buffer) => buffer.writeUInt32LE(value));
const i32 = (value: number) => number(4, (buffer) => buffer.writeInt32LE(value));
const f32 = (value: number) => number(4, (buffer) => buffer.writeFloatLE(value));
const u64 = (value: number) => number(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value)));
const string = (text: string) => Buffer.concat([u64(Buffer.byteLength(text)), Buffer.from(text)]);
const array = (type: number, items: Buffer[]) => Buffer.concat([u32(9), u32(type), u64(items.length), ...items]);

function encode(value: Value): Buffer {
  if ("u32" in value) return Buffer.concat([u32(4), u32(value.u32)]);
  if ("f32" in value) return Buffer.concat([u32(6), f32(value.f32)]);
  if ("text" in value) return Buffer.concat([u32(8), string(value.text)]);
  if ("texts" in value) return array(8, value.texts.map(string));
  if ("f32s" in value) return array(6, value.f32s.map(f32));
  return array(5, value.i32s.map(i32));
}
