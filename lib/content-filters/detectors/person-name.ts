import type { Detector } from "../detector";
import { loadModel } from "./person-name-model";
import stored from "./person-name-model.json";
import { tagNames, type Model } from "./person-name-tagger";

let model: Model | undefined;

/** Names of people in Latin script, by a small model trained on our own sentences (lib/content-filters/training). */
export const detectPersonName: Detector = (text) => tagNames(text, (model ??= loadModel(stored)));
