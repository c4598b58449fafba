import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Long enough for a busy machine; elements usually appear within milliseconds.
configure({ asyncUtilTimeout: 60_000 });
afterEach(cleanup);
