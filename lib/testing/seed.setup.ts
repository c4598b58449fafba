import { configureGlobal } from "fast-check";
import { TEST_SEED } from "./seed";

configureGlobal({ seed: TEST_SEED });
