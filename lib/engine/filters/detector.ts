/** A match in a text. Offsets are UTF-16 code units of the original text. */
export interface Detection {
  start: number;
  end: number;
  /** The pattern family that matched, for detectors with several. */
  family?: string;
}

/**
 * Finds one kind of content in linear time and without side effects. Detections are in ascending order and don't
 * overlap. `regions` are countries (ISO 3166-1 alpha-2) whose national formats are detected, too.
 */
export type Detector = (text: string, regions?: readonly string[]) => Detection[];
