"""What a basket costs."""

import unittest

from shop.cart import total
from shop.order import make_line


class TotalTest(unittest.TestCase):
    def test_one_line(self) -> None:
        self.assertEqual(total([make_line("tea", 350, 1)]), 350)

    def test_quantities_count(self) -> None:
        self.assertEqual(total([make_line("tea", 350, 3)]), 1050)


if __name__ == "__main__":
    unittest.main()
