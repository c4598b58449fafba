import { configureGlobal } from "fast-check";
import { cases, TEST_SEED } from "./random";

configureGlobal({ seed: TEST_SEED, numRuns: cases(100) });
