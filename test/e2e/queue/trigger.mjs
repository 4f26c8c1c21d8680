export const casesFor = () => [];
