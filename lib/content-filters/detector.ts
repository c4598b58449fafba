/** Something found in a text. Offsets are UTF-16 code units of the text as it was given. */
export interface Detection {
  start: number;
  end: number;
  /** Which family of patterns matched, where a detector has several. */
  family?: string;
}

/** Finds one kind of thing in a text: pure, linear in its length; detections ascend and don't overlap. */
export type Detector = (text: string) => Detection[];
