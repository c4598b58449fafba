// The folder of the build that this process runs from. With `npm start`, no other start replaces it (lib/server/builds.mjs).
import { join } from "node:path";

/** Below the working folder: `.next` in the container, in development and for scripts. */
export const buildFolder = () => process.env.SIGNALBOX_BUILD || ".next";

/** Path of a file of the build. @param {string} name */
export const builtFile = (name) => join(/* turbopackIgnore: true */ process.cwd(), buildFolder(), name);
