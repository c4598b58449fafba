/** Environment variable of the key in the code that the console shows. */
export const KEY_VARIABLE = "SIGNALBOX_API_KEY";
