import type { Detector } from "../detector";
import { loadModel } from "./person-name-model";
import stored from "./person-name-model.json";
import { tagNames, type Model } from "./person-name-tagger";

let model: Model | undefined;

/** Detects names of people in Latin script with a small model trained on labelled and generated text (bench/names). */
export const detectPersonName: Detector = (text) => tagNames(text, (model ??= loadModel(stored)));
