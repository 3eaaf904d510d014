"""The draws of dialogs that turnwise's intervals are made of, so that other packages are given the same."""
MASK = (1 << 64) - 1


def splitmix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield mixed ^ (mixed >> 31)


def draws(size, count, seed):
    """`count` draws of `size` numbers of dialogs each."""
    for draw in range(count):
        numbers = splitmix(seed ^ next(splitmix(draw)))
        yield [(next(numbers) * size) >> 64 for _ in range(size)]
